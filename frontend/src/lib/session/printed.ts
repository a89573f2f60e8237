import { type Bridge, BridgeError } from '../bridge/bridge';
import type { TailPart } from '../output/tail.svelte';

const nothing: TailPart = { text: '', from: '0', to: '', gap: false, more: false, lost: '', ended: false };

/**
 * A part of what the program of a call printed. A call that runs may not have begun to keep
 * anything: then there is nothing yet.
 */
export async function readCall(bridge: Bridge, id: string, from: string): Promise<TailPart> {
  try {
    return await bridge.callTail({ id, from });
  } catch (cause) {
    if (from === '' && cause instanceof BridgeError && cause.code === 'not_found') {
      const { call } = await bridge.call(id);
      if (call.state === 'running') return nothing;
    }
    throw cause;
  }
}
