import { type Bridge, BridgeError, type Link, lostCode } from './bridge';
import type { AnswerRequest, Event, RulesPatch, TaskRequest, TrustAnswer } from './dto';
import { backoffMs } from './events';

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
export class SocketBridge implements Bridge {
  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #events = new Set<(event: Event) => void>();
  #states = new Set<(link: Link) => void>();
  #link: Link = 'connecting';
  #attempt = 0;
  #lastId = 0;

  constructor(private readonly address: string) {
    this.#connect();
  }

  snapshot = () => this.#ask('Snapshot');
  session = (id: string, before: string) => this.#ask('Session', id, before);
  call = (id: string) => this.#ask('Call', id);
  approval = (id: string) => this.#ask('Approval', id);
  answer = (request: AnswerRequest) => this.#ask('Answer', request);
  answerTrust = (answer: TrustAnswer) => this.#ask('AnswerTrust', answer);
  trusts = () => this.#ask('Trusts');
  forgetTrust = (root: string) => this.#ask('ForgetTrust', root);
  tools = () => this.#ask('Tools');
  setRules = (patch: RulesPatch) => this.#ask('SetRules', patch);
  startTask = (request: TaskRequest) => this.#ask('StartTask', request);
  stopTurn = (sessionId: string) => this.#ask('StopTurn', sessionId);

  onEvent(listener: (event: Event) => void): () => void {
    this.#events.add(listener);
    return () => this.#events.delete(listener);
  }

  onState(listener: (link: Link) => void): () => void {
    this.#states.add(listener);
    listener(this.#link);
    return () => this.#states.delete(listener);
  }

  // The desk's own types are mirrored in dto.ts, so what arrives is taken at its word.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  #ask(method: string, ...params: unknown[]): Promise<any> {
    const socket = this.#socket;
    if (this.#link !== 'up' || !socket) return Promise.reject(new BridgeError('link.down', downWords));
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
      this.#say('up');
    };
    socket.onmessage = (message) => this.#read(String(message.data));
    socket.onclose = () => void this.#lost();
  }

  #read(text: string) {
    const reply = JSON.parse(text) as Reply;
    if (reply.event) {
      for (const listener of this.#events) listener(reply.event);
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
    this.#say((await this.#known()) ? 'down' : 'refused');
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

  #say(link: Link) {
    this.#link = link;
    for (const listener of this.#states) listener(link);
  }
}

/** The bridge to the desk that served this page. */
export function openSocketBridge(at: Location = location): Bridge {
  const scheme = at.protocol === 'https:' ? 'wss:' : 'ws:';
  return new SocketBridge(`${scheme}//${at.host}/ws`);
}
