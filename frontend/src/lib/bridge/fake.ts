import { type Bridge, BridgeError, type Link } from './bridge';
import type {
  AnswerRequest,
  AnswerResult,
  ApprovalCard,
  BatchRequest,
  BatchResult,
  CallDetail,
  CallProgress,
  CallTail,
  CallTailRequest,
  CatalogView,
  ChangeForm,
  ChangeQuery,
  ChangeRequest,
  ChangeResult,
  Changes,
  ChangesRequest,
  ClientPlan,
  ClientWrite,
  ConnectView,
  DiffLines,
  DiffLinesRequest,
  Effect,
  Event,
  Excerpt,
  ExcerptRequest,
  FindRequest,
  FindResult,
  GrantList,
  GrantRow,
  HistoryChoices,
  HistoryPage,
  HistoryQuery,
  HistoryRow,
  MatchRequest,
  MatchView,
  Rehearsal,
  RehearsalRequest,
  OutputFindRequest,
  OutputFound,
  OutputLines,
  OutputLinesRequest,
  OutputPiece,
  OutputPieceRequest,
  OutputRange,
  OutputRangeRequest,
  OutputRef,
  OutputView,
  PageRequest,
  PageFault,
  PathRules,
  PathTry,
  PathVerdict,
  ProcessInput,
  ProcessList,
  ProcessRef,
  ProcessRow,
  ProcessTail,
  ProcessTailRequest,
  Revealed,
  RevealRequest,
  RulesPatch,
  SessionView,
  SetAcceptance,
  SetChange,
  SetDrift,
  SetRef,
  SetRow,
  SettingChange,
  SettingsView,
  Snapshot,
  TaskRequest,
  TimelineItem,
  TrustAnswer,
  TrustRow,
  TryForm,
  TryRequest,
} from './dto';
import { choicesOf, pageOfHistory } from './fakehistory';
import { findOutput, linesOfOutput, pieceOfOutput, type Printed, rangeOfOutput, viewOfOutput } from './fakeoutput';
import { partOf, type Printing, tailOf } from './fakeprocess';
import { changesSince, findIn, pageOf, tell } from './fakestory';

/** What a FakeBridge answers from. Tests change it and then say so with `hint`. */
export interface World {
  snapshot: Snapshot;
  cards: ApprovalCard[];
  views: SessionView[];
  details: CallDetail[];
  trusts: TrustRow[];
  tools: SetRow[];
  /** What else is said of the catalog. */
  catalog?: Partial<CatalogView>;
  /** What became of sets, by their key. */
  drifts?: Record<string, SetDrift>;
  /** What reloading finds. */
  reloaded?: SetRow[];
  /** The forms in which tools are tried, by id. */
  tries?: Record<string, TryForm>;
  /** The calls of all sessions, the newest first. */
  history?: HistoryRow[];
  /** What a scope would match, by its value; without one it is what was offered and nothing more. */
  matches?: Record<string, Partial<MatchView>>;
  /** The steps of a rehearsal by where they begin, '' for the first. */
  rehearsals?: Record<string, Partial<Rehearsal> | BridgeError>;
  connect?: ConnectView;
  /** The change of each client by its id. */
  plans?: Record<string, ClientPlan>;
  /** The whole text of messages whose line holds only the beginning. */
  said?: Record<string, string>;
  settings?: SettingsView;
  /** The files as they are now, by path: excerpts come from them, and so do the lines around a change. */
  files?: Record<string, string>;
  /** The texts of the output store. */
  outputs?: Printed[];
  /** What the programs of calls print, by call. */
  printed?: Record<string, Pick<Printing, 'printed' | 'lost'> & { running?: boolean }>;
  /** The managed processes, each with what it printed. */
  processes?: Printing[];
  grants?: GrantRow[];
  pathRules?: PathRules;
  /** What trying a path answers. */
  pathVerdict?: (path: string) => PathVerdict;
  /** What a card hides, by its id. */
  revealed?: Record<string, Revealed>;
}

/** A bridge without a desk, for tests of components. It keeps what was asked of it. */
export class FakeBridge implements Bridge {
  readonly asked: { method: string; argument: unknown }[] = [];
  /** What the next change of a setting or a set is refused with. */
  refusal: BridgeError | null = null;
  /** What the next changes of settings did to the calls that waited. */
  effect: Effect = { allowed: 0, denied: 0, words: '' };
  /** The forms of the cards whose arguments can be changed, and what becomes of changes, in order. */
  forms: ChangeForm[] = [];
  changes: (ChangeResult | BridgeError)[] = [];
  /** Answers to Answer, in order; when none is left the card is closed as asked. */
  readonly results: (AnswerResult | BridgeError)[] = [];
  /** Answers to AnswerBatch, in order; when none is left the cards are closed as asked. */
  readonly batches: (BatchResult | BridgeError)[] = [];

  #events = new Set<(event: Event) => void>();
  #states = new Set<(link: Link) => void>();
  #n = 0;
  /** Which lines were told after the beginning, by session. */
  #told = new Map<string, { seq: number; id: string }[]>();

  constructor(
    readonly world: World,
    private link: Link = 'up',
  ) {}

  async snapshot(): Promise<Snapshot> {
    this.#note('snapshot', null);
    return structuredClone(this.world.snapshot);
  }

  async sessionPage(request: PageRequest): Promise<SessionView> {
    this.#note('sessionPage', request);
    return this.#found(pageOf(this.#view(request.sessionId), request));
  }

  async sessionChanges(request: ChangesRequest): Promise<Changes> {
    this.#note('sessionChanges', request);
    const told = this.#told.get(request.sessionId) ?? [];
    return this.#found(changesSince(this.#view(request.sessionId), told, Number(request.since)));
  }

  async sessionFind(request: FindRequest): Promise<FindResult> {
    this.#note('sessionFind', request);
    return findIn(this.#view(request.sessionId), request.words);
  }

  async message(sessionId: string, id: string): Promise<string> {
    this.#note('message', id);
    const line = this.#found(this.#view(sessionId).items.find((item) => item.id === id));
    return this.world.said?.[id] ?? line.message?.text ?? '';
  }

  async stopCall(id: string): Promise<void> {
    this.#note('stopCall', id);
  }

  async call(id: string): Promise<CallDetail> {
    return this.#found(this.world.details.find((detail) => detail.call.id === id));
  }

  async diffLines(request: DiffLinesRequest): Promise<DiffLines> {
    this.#note('diffLines', request);
    const of = request.of === 'approval' ? await this.approval(request.id) : await this.call(request.id);
    const path = of.diffs[request.file]?.path ?? '';
    const text = this.world.files?.[path];
    if (text === undefined) return { lines: [], more: false, missing: 'The file changed since this card was made.' };
    const side = request.of === 'approval' ? request.old : request.new;
    return { ...cutOf(text, side, request.count), missing: '' };
  }

  async excerpt(request: ExcerptRequest): Promise<Excerpt> {
    this.#note('excerpt', request);
    this.#refuse();
    const { path, first, count } = request;
    return { path, absolute: `/${path}`, first, ...cutOf(this.#found(this.world.files?.[path]), first, count) };
  }

  async callTail(request: CallTailRequest): Promise<CallTail> {
    this.#note('callTail', request);
    const one = this.world.printed?.[request.id];
    if (!one) throw new BridgeError('not_found', 'Nothing that it printed was kept.');
    return { ...partOf(one, request.from), ended: !one.running };
  }

  async callProgress(): Promise<CallProgress[]> {
    this.#note('callProgress', null);
    const running = Object.entries(this.world.printed ?? {}).filter(([, one]) => one.running);
    return running.map(([id, one]) => ({ id, line: one.printed.trimEnd().split('\n').at(-1) ?? '' }));
  }

  async approval(id: string): Promise<ApprovalCard> {
    return this.#found(this.world.cards.find((card) => card.row.id === id));
  }

  async answer(request: AnswerRequest): Promise<AnswerResult> {
    this.#note('answer', request);
    const planned = this.results.shift();
    if (planned instanceof BridgeError) throw planned;
    if (planned) return planned;
    const card = await this.approval(request.id);
    const status = request.resolution === 'deny' ? 'denied' : 'approved';
    this.close(request.id, status, request.resolution);
    return { outcome: 'done', words: status === 'denied' ? 'Denied.' : 'Allowed once.', card };
  }

  async answerBatch(request: BatchRequest): Promise<BatchResult> {
    this.#note('answerBatch', request);
    const planned = this.batches.shift();
    if (planned instanceof BridgeError) throw planned;
    if (planned) return planned;
    const status = request.resolution === 'deny' ? 'denied' : 'approved';
    for (const { id } of request.cards) this.close(id, status, request.resolution);
    const done = status === 'denied' ? 'denied.' : 'allowed once.';
    return { answered: true, words: `${request.cards.length} calls ${done}`, stops: [] };
  }

  async changeForm(query: ChangeQuery): Promise<ChangeForm> {
    this.#note('changeForm', query);
    return this.#found(this.forms.find((form) => form.id === query.id && form.revealed === query.reveal));
  }

  async changeArguments(request: ChangeRequest): Promise<ChangeResult> {
    this.#note('changeArguments', request);
    const planned = this.changes.shift();
    if (!planned) throw new BridgeError('not_found', 'No change was planned.');
    if (planned instanceof BridgeError) throw planned;
    if (planned.outcome === 'changed')
      this.world.cards = this.world.cards.map((one) => (one.row.id === request.id ? planned.card : one));
    return planned;
  }

  async reveal(request: RevealRequest): Promise<Revealed> {
    this.#note('reveal', request);
    const found = this.world.revealed?.[request.id];
    if (!found) throw new BridgeError('unavailable', 'What this card shows is out of date.');
    return found;
  }

  async wouldMatch(request: MatchRequest): Promise<MatchView> {
    this.#note('wouldMatch', request);
    const card = await this.approval(request.id);
    const offered = card.offers.flatMap((offer) => offer.choices);
    const choice = offered.find((one) => one.kind === request.kind && one.value === request.value);
    return {
      refused: choice ? '' : 'This does not cover any part of the call. Start from what is offered.',
      choice: choice ?? { kind: request.kind, value: request.value, words: '', key: '' },
      calls: { looked: 0, all: 0, part: 0, denied: 0, latest: [] },
      lets: [],
      stops: [],
      ...this.world.matches?.[request.value],
    };
  }

  async dismissLeft(sessionId: string): Promise<void> {
    this.#note('dismissLeft', sessionId);
    for (const row of this.world.snapshot.approvals)
      if (row.callerLeft && row.sessionId === sessionId) this.close(row.id, 'cancelled', '');
  }

  async answerTrust(answer: TrustAnswer): Promise<void> {
    this.#note('answerTrust', answer);
    const { snapshot } = this.world;
    if (answer.answer === 'later') snapshot.trust = snapshot.trust.map((one) => ({ ...one, postpone: true }));
    else snapshot.trust = snapshot.trust.filter((one) => one.root !== answer.root);
  }

  async trusts(): Promise<TrustRow[]> {
    return this.world.trusts;
  }

  async forgetTrust(root: string): Promise<void> {
    this.#note('forgetTrust', root);
    this.world.trusts = this.world.trusts.filter((row) => row.root !== root);
  }

  async tools(): Promise<CatalogView> {
    return { loading: false, off: false, stale: false, ...this.world.catalog, sets: this.world.tools };
  }

  async reloadSets(): Promise<CatalogView> {
    this.#note('reloadSets', null);
    this.#refuse();
    this.world.tools = this.world.reloaded ?? this.world.tools;
    this.world.catalog = {};
    return this.tools();
  }

  async setDrift(ref: SetRef): Promise<SetDrift> {
    this.#note('setDrift', ref);
    return this.#found(this.world.drifts?.[this.#keyOf(ref)]);
  }

  async acceptSet(acceptance: SetAcceptance): Promise<void> {
    this.#note('acceptSet', acceptance);
    this.#refuse();
    const key = this.#keyOf(acceptance);
    this.world.tools = this.world.tools.map((set) => (set.key === key ? { ...set, changed: false } : set));
  }

  async tryForm(tool: string): Promise<TryForm> {
    return this.#found(this.world.tries?.[tool]);
  }

  async tryTool(request: TryRequest): Promise<string> {
    this.#note('tryTool', request);
    this.#refuse();
    return this.world.views[0]?.session.id ?? '';
  }

  #keyOf({ source, name }: SetRef): string {
    return this.world.tools.find((set) => set.source === source && set.name === name)?.key ?? '';
  }

  async switchSet(change: SetChange): Promise<Effect> {
    this.#note('switchSet', change);
    this.#refuse();
    this.world.tools = this.world.tools.map((set) =>
      set.name === change.set && set.source === change.source
        ? { ...set, enabled: change.on, status: change.on ? 'loaded' : 'disabled' }
        : set,
    );
    return this.effect;
  }

  async settings(): Promise<SettingsView> {
    return this.#found(this.world.settings);
  }

  async setSetting(change: SettingChange): Promise<Effect> {
    this.#note('setSetting', change);
    this.#refuse();
    const row = this.world.settings?.fields.find((one) => one.key === change.key);
    if (row) Object.assign(row, { value: change.value || row.value, given: change.value !== '' });
    return this.effect;
  }

  async rehearse(request: RehearsalRequest): Promise<Rehearsal> {
    this.#note('rehearse', request);
    const planned = this.world.rehearsals?.[request.from];
    if (planned instanceof BridgeError) throw planned;
    const none = { loosens: false, total: 0, capped: false, looked: 0, next: '', flips: [], unjudged: [] };
    return { ...none, ...planned };
  }

  async setRules(patch: RulesPatch): Promise<Effect> {
    this.#note('setRules', patch);
    const { desk } = this.world.snapshot;
    if (patch.profile) desk.profile = patch.profile;
    if (patch.preset) desk.preset = patch.preset;
    if (patch.catalog) desk.catalog = patch.catalog;
    if (patch.theme) desk.theme = patch.theme;
    if (patch.readOnly) desk.readOnly = patch.readOnly === 'on';
    return this.effect;
  }

  async grants(): Promise<GrantList> {
    this.#note('grants', null);
    return structuredClone({ grants: this.world.grants ?? [], more: false });
  }

  async revokeGrant(id: string): Promise<void> {
    this.#note('revokeGrant', id);
    this.#refuse();
    const { now } = this.world.snapshot.desk;
    this.world.grants = this.world.grants?.map((row) =>
      row.id === id ? { ...row, state: 'dead', why: 'You took it back.', endedAt: now } : row,
    );
  }

  async pathRules(): Promise<PathRules> {
    return this.#found(this.world.pathRules ?? { workspace: '/w', groups: [] });
  }

  async tryPath(request: PathTry): Promise<PathVerdict> {
    this.#note('tryPath', request.path);
    return this.#found(this.world.pathVerdict?.(request.path));
  }

  async startTask(request: TaskRequest): Promise<string> {
    this.#note('startTask', request);
    return request.sessionId || (this.world.views[0]?.session.id ?? '');
  }

  async history(query: HistoryQuery): Promise<HistoryPage> {
    this.#note('history', query);
    return this.#found(pageOfHistory(this.world.history ?? [], query));
  }

  async historyCall(id: string): Promise<HistoryRow> {
    this.#note('historyCall', id);
    return this.#found(this.world.history?.find((row) => row.call.id === id));
  }

  async historyChoices(): Promise<HistoryChoices> {
    return choicesOf(this.world.history ?? []);
  }

  async stopTurn(sessionId: string): Promise<void> {
    this.#note('stopTurn', sessionId);
  }

  async output(ref: OutputRef): Promise<OutputView> {
    this.#note('output', ref);
    return viewOfOutput(this.#output(ref));
  }

  async outputLines(request: OutputLinesRequest): Promise<OutputLines> {
    this.#note('outputLines', request);
    return linesOfOutput(this.#output(request), request);
  }

  async outputPiece(request: OutputPieceRequest): Promise<OutputPiece> {
    this.#note('outputPiece', request);
    return pieceOfOutput(this.#output(request), request);
  }

  async outputFind(request: OutputFindRequest): Promise<OutputFound> {
    this.#note('outputFind', request);
    return findOutput(this.#output(request), request);
  }

  async outputRange(request: OutputRangeRequest): Promise<OutputRange> {
    this.#note('outputRange', request);
    return rangeOfOutput(this.#output(request), request);
  }

  async keepOutput(ref: OutputRef): Promise<OutputView> {
    this.#note('keepOutput', ref);
    this.#refuse();
    const printed = this.#output(ref);
    printed.view.keptUntil = '2026-12-30T14:00:00Z';
    return viewOfOutput(printed);
  }

  async processes(): Promise<ProcessList> {
    this.#note('processes', null);
    const rows = (this.world.processes ?? []).map((one) => one.row);
    return structuredClone({ rows, now: new Date().toISOString() });
  }

  async processTail(request: ProcessTailRequest): Promise<ProcessTail> {
    this.#note('processTail', request);
    return structuredClone(tailOf(this.#process(request), request.from));
  }

  async writeProcess(input: ProcessInput): Promise<void> {
    this.#note('writeProcess', input);
    this.#refuse();
    const process = this.#process(input);
    process.printed += process.answers?.(input.text) ?? '';
  }

  async stopProcess(ref: ProcessRef): Promise<void> {
    this.#note('stopProcess', ref);
    this.#refuse();
    const { row } = this.#process(ref);
    const ended: Partial<ProcessRow> = { status: 'stopped', statusWords: 'Stopped by you', input: false, stop: false };
    Object.assign(row, ended, { endedAt: this.world.snapshot.desk.now, fixed: 'It has ended.' });
  }

  async reportFault(fault: PageFault): Promise<void> {
    this.#note('reportFault', fault);
  }

  async connect(): Promise<ConnectView> {
    this.#note('connect', null);
    return structuredClone(this.world.connect ?? { clients: [], callers: [] });
  }

  async planClient(id: string): Promise<ClientPlan> {
    this.#note('planClient', id);
    return this.#found(this.world.plans?.[id]);
  }

  async writeClient(write: ClientWrite): Promise<ClientPlan> {
    this.#note('writeClient', write);
    const plan = this.#found(this.world.plans?.[write.client]);
    if (plan.hash !== write.hash) return plan;
    const client = { ...plan.client, state: 'current' };
    const { clients = [], callers = [] } = this.world.connect ?? {};
    this.world.connect = { clients: clients.map((one) => (one.id === client.id ? client : one)), callers };
    return { ...plan, client, written: true };
  }

  async disconnect(sessionId: string): Promise<void> {
    this.#note('disconnect', sessionId);
    const { clients = [], callers = [] } = this.world.connect ?? {};
    this.world.connect = { clients, callers: callers.filter((one) => one.sessionId !== sessionId) };
  }

  onEvent(listener: (event: Event) => void): () => void {
    this.#events.add(listener);
    return () => this.#events.delete(listener);
  }

  onState(listener: (link: Link) => void): () => void {
    this.#states.add(listener);
    listener(this.link);
    return () => this.#states.delete(listener);
  }

  /** Closes a card as someone else would: its row leaves the inbox. */
  close(id: string, status: string, resolution = ''): void {
    const { snapshot } = this.world;
    const ended: Record<string, string> = { approved: 'Allowed once by you.', denied: 'Denied by you.' };
    snapshot.approvals = snapshot.approvals.filter((row) => row.id !== id);
    this.world.cards = this.world.cards.map((card) =>
      card.row.id === id
        ? { ...card, row: { ...card.row, status }, resolution, resolvedBy: 'you', ended: ended[status] ?? 'It ended.' }
        : card,
    );
  }

  /** Says that something happened. */
  hint(type: string, ref = '', n = String(++this.#n), sessionId = ''): void {
    this.#n = Number(n) || this.#n;
    const event: Event = { n, type, sessionId, ref, at: '' };
    for (const listener of this.#events) listener(event);
  }

  /** Adds a line to a session, or changes the one with its id, and says so. */
  tell(sessionId: string, item: TimelineItem): void {
    const view = tell(this.#view(sessionId), item);
    this.world.views = this.world.views.map((one) => (one.session.id === sessionId ? view : one));
    const told = this.#told.get(sessionId) ?? [];
    told.push({ seq: Number(view.seq), id: item.id });
    this.#told.set(sessionId, told);
    this.hint('tool.call.proposed', item.id, String(++this.#n), sessionId);
  }

  /** Loses or finds the desk. */
  setLink(link: Link): void {
    this.link = link;
    this.#n = 0;
    for (const listener of this.#states) listener(link);
  }

  /** The arguments of every call of a method so far. */
  of(method: string): unknown[] {
    return this.asked.filter((one) => one.method === method).map((one) => one.argument);
  }

  #view(id: string): SessionView {
    const view = this.world.views.find((one) => one.session.id === id);
    if (!view) throw new BridgeError('not_found', 'It is not there any more.');
    return view;
  }

  #output({ sessionId, name }: OutputRef): Printed {
    const found = this.world.outputs?.find(({ view }) => view.sessionId === sessionId && view.name === name);
    if (!found) throw new BridgeError('not_found', 'There is no such output.');
    return found;
  }

  #process({ sessionId, id }: ProcessRef): Printing {
    const found = this.world.processes?.find(({ row }) => row.sessionId === sessionId && row.id === id);
    if (!found) throw new BridgeError('not_found', 'It is not there any more.');
    return found;
  }

  #refuse() {
    const refusal = this.refusal;
    this.refusal = null;
    if (refusal) throw refusal;
  }

  #note(method: string, argument: unknown) {
    this.asked.push({ method, argument });
  }

  #found<T>(value: T | undefined): T {
    if (value === undefined) throw new BridgeError('not_found', 'It is not there any more.');
    return structuredClone(value);
  }
}

function cutOf(text: string, first: number, count: number) {
  const all = text.replace(/\n$/, '').split('\n');
  const lines = all.slice(first - 1, first - 1 + count).map((line) => ({ text: line, left: 0 }));
  return { lines, more: first - 1 + count < all.length };
}
