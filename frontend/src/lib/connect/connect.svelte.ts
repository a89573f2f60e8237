import { sentence } from '../bridge/bridge';
import type { ClientPlan, ClientRow, ConnectView } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';

/** The change of a client's file that is shown, before anything is written. */
export interface Shown {
  id: string;
  /** Null while it is being read. */
  plan: ClientPlan | null;
  /** What there is to know about it, or why there is none; "" for nothing. */
  words: string;
  failed: boolean;
}

const changedWords = 'The file changed since this was shown. Nothing was written: look at the change as it is now.';
const thereWords = 'The entry is there already. Nothing was written.';
const noClipboard = 'The clipboard cannot be used here. Mark the text and copy it.';

/** Whether the entry of a client can be written from here. */
export const writable = (client: ClientRow) =>
  !client.trouble && (client.state === 'absent' || client.state === 'differs');

/** What Copy gives of a client when it is asked for by key: its command, else its entry. */
export const mainText = (client: ClientRow) => client.command || client.fragment;

/** Connect is how agents reach the desk: what each client needs, and who is connected now. */
export class Connect {
  view = $state.raw<ConnectView | null>(null);
  /** Why the last reading failed, in words; "" when it did not. */
  trouble = $state('');
  /** Why the last thing that was asked for was not done. */
  refused = $state('');
  selected = $state('');
  shown = $state.raw<Shown | null>(null);
  writing = $state(false);
  /** The client whose entry was written last, and where. */
  written = $state.raw<ClientRow | null>(null);
  /** What was copied last, for as long as the button says so. */
  copied = $state('');
  /** The session that the person is asked about before it is disconnected. */
  asked = $state('');

  #reading = 0;
  #fading: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly live: Live,
    private readonly clipboard: (text: string) => Promise<void>,
  ) {}

  async read(): Promise<void> {
    const mine = ++this.#reading;
    try {
      const view = await this.live.bridge.connect();
      if (mine !== this.#reading) return;
      this.view = view;
      this.trouble = '';
    } catch (cause) {
      if (mine === this.#reading) this.trouble = sentence(cause);
    }
  }

  /** Follows what happens while the view is open; returns the function that stops it. */
  follow(): () => void {
    return this.live.onEvents(() => void this.read());
  }

  /** Moves among the clients; false where there are none. */
  move(by: number): boolean {
    const clients = this.view?.clients ?? [];
    const at = clients.findIndex((one) => one.id === this.selected);
    const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), clients.length - 1);
    this.selected = clients[to]?.id ?? '';
    return this.selected !== '';
  }

  current(): ClientRow | undefined {
    return this.view?.clients.find((one) => one.id === this.selected);
  }

  async copy(text: string): Promise<void> {
    clearTimeout(this.#fading);
    this.refused = '';
    try {
      await this.clipboard(text);
      this.copied = text;
      this.#fading = setTimeout(() => (this.copied = ''), 2_000);
    } catch {
      this.copied = '';
      this.refused = noClipboard;
    }
  }

  /** Shows what writing the entry would change. */
  async show(id: string): Promise<void> {
    this.selected = id;
    this.written = null;
    this.shown = { id, plan: null, words: '', failed: false };
    try {
      const plan = await this.live.bridge.planClient(id);
      this.#show(id, plan, plan.diffs.length ? '' : thereWords);
    } catch (cause) {
      this.#fail(id, cause);
    }
  }

  close(): boolean {
    const open = this.shown !== null && !this.writing;
    if (open) this.shown = null;
    return open;
  }

  /** Writes exactly the change that is shown. */
  async write(): Promise<void> {
    const { id = '', plan } = this.shown ?? {};
    if (!plan?.hash || this.writing) return;
    this.writing = true;
    try {
      const result = await this.live.bridge.writeClient({ client: id, hash: plan.hash });
      if (result.written) {
        this.shown = null;
        this.written = result.client;
        await this.read();
      } else {
        this.#show(id, result, result.diffs.length ? changedWords : thereWords);
      }
    } catch (cause) {
      this.#fail(id, cause);
    } finally {
      this.writing = false;
    }
  }

  async disconnect(sessionId: string): Promise<void> {
    this.asked = '';
    this.refused = '';
    try {
      await this.live.bridge.disconnect(sessionId);
    } catch (cause) {
      this.refused = sentence(cause);
    }
    await this.read();
  }

  #show(id: string, plan: ClientPlan, words: string) {
    if (this.shown?.id === id) this.shown = { id, plan, words, failed: false };
  }

  #fail(id: string, cause: unknown) {
    if (this.shown?.id === id) this.shown = { id, plan: null, words: sentence(cause), failed: true };
  }
}
