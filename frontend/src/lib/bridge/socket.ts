import { BridgeError, lostCode } from './bridge';
import type { Event } from './dto';
import { backoffMs } from './events';
import { RemoteBridge } from './remote';

interface Waiting {
  resolve(value: unknown): void;
  reject(cause: BridgeError): void;
}

interface Reply {
  id?: string;
  result?: unknown;
  error?: { code: string; message: string; fields?: Record<string, string> | null };
  event?: Event;
}

const lostWords = 'The desk went away before it answered. What stands is shown once it is back.';
const downWords = 'The desk is not running, so nothing was sent.';

/** The bridge over one WebSocket of the page's own origin; the cookie says who asks. */
export class SocketBridge extends RemoteBridge {
  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #attempt = 0;
  #lastId = 0;

  constructor(private readonly address: string) {
    super();
    this.#connect();
  }

  protected ask(method: string, ...params: unknown[]): Promise<unknown> {
    const socket = this.#socket;
    if (this.link !== 'up' || !socket) return Promise.reject(new BridgeError('link.down', downWords));
    const id = String(++this.#lastId);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #connect() {
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempt = 0;
      this.say('up');
    };
    socket.onmessage = (message) => this.#read(String(message.data));
    socket.onclose = () => void this.#lost();
  }

  #read(text: string) {
    const reply = JSON.parse(text) as Reply;
    if (reply.event) {
      this.tell(reply.event);
      return;
    }
    const waiting = this.#waiting.get(reply.id ?? '');
    if (!waiting) return;
    this.#waiting.delete(reply.id ?? '');
    if (reply.error) {
      waiting.reject(new BridgeError(reply.error.code, reply.error.message, reply.error.fields ?? {}));
    } else {
      waiting.resolve(reply.result);
    }
  }

  async #lost() {
    this.#socket = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.reject(new BridgeError(lostCode, lostWords));
    this.say((await this.#known()) ? 'down' : 'refused');
    setTimeout(() => this.#connect(), backoffMs(this.#attempt++));
  }

  /** A socket that was turned away looks like one that found nobody: ask once over HTTP which it was. */
  async #known(): Promise<boolean> {
    try {
      const { status } = await fetch('/', { method: 'HEAD', cache: 'no-store', redirect: 'manual' });
      return status !== 401 && status !== 403;
    } catch {
      return true;
    }
  }
}

/** The bridge to the desk that served this page. */
export function openSocketBridge(at: Location = location): SocketBridge {
  const scheme = at.protocol === 'https:' ? 'wss:' : 'ws:';
  return new SocketBridge(`${scheme}//${at.host}/ws`);
}
