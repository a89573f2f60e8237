import { BridgeError } from './bridge';
import type { Event } from './dto';
import { RemoteBridge } from './remote';
import type { Shell, Stake } from './shell';

/** The one value that the window binds. Each method is a promise here. */
export interface Bound {
  Ask(text: string): Promise<string>;
  Ready(): Promise<void>;
  Copy(text: string): Promise<void>;
  SaveOutput(sessionId: string, name: string): Promise<string>;
  OpenFolder(sessionId: string, name: string): Promise<void>;
  Remember(view: string): Promise<void>;
  Asking(): Promise<void>;
  Stay(): Promise<void>;
  Quit(): Promise<void>;
}

/** What the window puts into the page before any script of ours runs. */
export interface Place {
  go?: { main?: { Window?: Bound } };
  runtime?: { EventsOn(name: string, listener: (data: never) => void): () => void };
}

interface Reply {
  result?: unknown;
  error?: { code: string; message: string; fields?: Record<string, string> | null };
}

const hintsEvent = 'countersign:hints';
const quitEvent = 'countersign:quit';
const openEvent = 'countersign:open';
const lookMs = 20;
const brokenWords = 'The window could not pass this on to the desk, so nothing was done. Close it and start it again.';

/** Whether this page is in the window, and not in a browser. */
export function inWindow(at: Location = location): boolean {
  return at.protocol === 'wails:';
}

/** The bridge over the window's binding: the messages of the socket, without one. */
export class WailsBridge extends RemoteBridge {
  #lastId = 0;

  constructor(private readonly place: Place = window as Place) {
    super();
    this.#begin();
  }

  protected async ask(method: string, ...params: unknown[]): Promise<unknown> {
    const bound = this.place.go?.main?.Window;
    if (!bound) throw new BridgeError('link.down', brokenWords);
    const reply = await this.#send(bound, JSON.stringify({ id: String(++this.#lastId), method, params }));
    if (reply.error) throw new BridgeError(reply.error.code, reply.error.message, reply.error.fields ?? {});
    return reply.result;
  }

  async #send(bound: Bound, text: string): Promise<Reply> {
    try {
      return JSON.parse(await bound.Ask(text)) as Reply;
    } catch {
      throw new BridgeError('internal', brokenWords);
    }
  }

  /** Hints are asked for once somebody hears them; they are numbered from 1 for each page. */
  #begin() {
    const { go, runtime } = this.place;
    const bound = go?.main?.Window;
    if (!bound || !runtime) {
      setTimeout(() => this.#begin(), lookMs);
      return;
    }
    runtime.EventsOn(hintsEvent, (hints: Event[]) => hints.forEach((hint) => this.tell(hint)));
    bound.Ready().then(
      () => this.say('up'),
      () => this.say('down'),
    );
  }
}

/** The shell of the window. */
export function windowShell(place: Place = window as Place): Shell {
  const bound = () => place.go?.main?.Window;
  const lost = () => {};
  return {
    kind: 'window',
    copy: (text) => bound()?.Copy(text) ?? Promise.reject(new Error('no window')),
    save: ({ sessionId, name }) => said(bound()?.SaveOutput(sessionId, name)),
    openFolder: ({ sessionId, name }) => said(bound()?.OpenFolder(sessionId, name)),
    remember: (view) => void bound()?.Remember(view).catch(lost),
    onQuit(listener) {
      const stop = place.runtime?.EventsOn(quitEvent, (stake: Stake) => {
        listener(stake);
        void bound()?.Asking().catch(lost);
      });
      return () => stop?.();
    },
    onOpen(listener) {
      const stop = place.runtime?.EventsOn(openEvent, (request: string) => listener(request));
      return () => stop?.();
    },
    quit: () => void bound()?.Quit().catch(lost),
    stay: () => void bound()?.Stay().catch(lost),
  };
}

/** What the window could not do is told in its own sentence. */
async function said<T>(done: Promise<T> | undefined): Promise<T> {
  try {
    return await (done ?? Promise.reject(new Error(brokenWords)));
  } catch (cause) {
    throw new BridgeError('window', cause instanceof Error ? cause.message : String(cause));
  }
}
