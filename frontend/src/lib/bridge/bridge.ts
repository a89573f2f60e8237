import type {
  AnswerRequest,
  AnswerResult,
  BatchRequest,
  BatchResult,
  ApprovalCard,
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
  SettingChange,
  SettingsView,
  Snapshot,
  TaskRequest,
  TrustAnswer,
  TrustRow,
  TryForm,
  TryRequest,
} from './dto';

/**
 * Whether the desk can be reached. `refused` means that it is there and does
 * not know this page, which no waiting will change.
 */
export type Link = 'connecting' | 'up' | 'down' | 'refused';

/**
 * Everything that the page can ask of the desk. Each method rejects with a
 * BridgeError; a list in an answer is never null.
 */
export interface Bridge {
  snapshot(): Promise<Snapshot>;
  /** A page of a session's timeline. */
  sessionPage(request: PageRequest): Promise<SessionView>;
  /** The lines of a session that changed since the number of an earlier answer. */
  sessionChanges(request: ChangesRequest): Promise<Changes>;
  sessionFind(request: FindRequest): Promise<FindResult>;
  /** The whole text of a message. */
  message(sessionId: string, id: string): Promise<string>;
  call(id: string): Promise<CallDetail>;
  /** Lines of a file around the hunks of a diff. */
  diffLines(request: DiffLinesRequest): Promise<DiffLines>;
  /** Lines of a file of a session as it is now. */
  excerpt(request: ExcerptRequest): Promise<Excerpt>;
  /** A part of what the program of a call printed. */
  callTail(request: CallTailRequest): Promise<CallTail>;
  /** The last lines that the programs of running calls printed. */
  callProgress(): Promise<CallProgress[]>;
  /** Stops one call that is under way. */
  stopCall(id: string): Promise<void>;
  approval(id: string): Promise<ApprovalCard>;
  /** What a waiting card hides from eyes. It is kept while that card is open and no longer. */
  reveal(request: RevealRequest): Promise<Revealed>;
  answer(request: AnswerRequest): Promise<AnswerResult>;
  /** Gives one answer to several cards: to all of them or to none. */
  answerBatch(request: BatchRequest): Promise<BatchResult>;
  /** The arguments of a waiting call, to be changed. */
  changeForm(query: ChangeQuery): Promise<ChangeForm>;
  /** Has a card show other arguments, which is no answer. */
  changeArguments(request: ChangeRequest): Promise<ChangeResult>;
  /** What an answer to a card would let through. */
  wouldMatch(request: MatchRequest): Promise<MatchView>;
  /** Ends the cards of a session whose caller left. */
  dismissLeft(sessionId: string): Promise<void>;
  answerTrust(answer: TrustAnswer): Promise<void>;
  trusts(): Promise<TrustRow[]>;
  forgetTrust(root: string): Promise<void>;
  tools(): Promise<CatalogView>;
  /** Answers what it did to the calls that waited, as the next two do. */
  switchSet(change: SetChange): Promise<Effect>;
  /** Looks at the folders of tool sets anew. */
  reloadSets(): Promise<CatalogView>;
  /** What became of a set since a person let it in. */
  setDrift(ref: SetRef): Promise<SetDrift>;
  /** Lets a set in as it was shown. */
  acceptSet(acceptance: SetAcceptance): Promise<void>;
  /** The arguments of a tool for a person to fill in. */
  tryForm(tool: string): Promise<TryForm>;
  /** Makes a call for the person, who is asked about it, and answers the id of its session. */
  tryTool(request: TryRequest): Promise<string>;
  settings(): Promise<SettingsView>;
  setSetting(change: SettingChange): Promise<Effect>;
  setRules(patch: RulesPatch): Promise<Effect>;
  /** One step of finding the past calls that a change of settings would decide otherwise. */
  rehearse(request: RehearsalRequest): Promise<Rehearsal>;
  /** What was allowed ahead of time. */
  grants(): Promise<GrantList>;
  revokeGrant(id: string): Promise<void>;
  pathRules(): Promise<PathRules>;
  /** What reading and writing a path would get. */
  tryPath(request: PathTry): Promise<PathVerdict>;
  /** Gives the built-in agent a task and answers the id of its session. */
  startTask(request: TaskRequest): Promise<string>;
  stopTurn(sessionId: string): Promise<void>;
  /** A page of the calls of all sessions, the newest first. A short page with `next` has looked far enough for now. */
  history(query: HistoryQuery): Promise<HistoryPage>;
  historyCall(id: string): Promise<HistoryRow>;
  historyChoices(): Promise<HistoryChoices>;
  /** A text of the output store as it is now. Its lines are counted from then on. */
  output(ref: OutputRef): Promise<OutputView>;
  outputLines(request: OutputLinesRequest): Promise<OutputLines>;
  outputPiece(request: OutputPieceRequest): Promise<OutputPiece>;
  /** A part of a search; whoever does not ask on has stopped it. */
  outputFind(request: OutputFindRequest): Promise<OutputFound>;
  outputRange(request: OutputRangeRequest): Promise<OutputRange>;
  /** Keeps a text as it is now for thirty days. */
  keepOutput(ref: OutputRef): Promise<OutputView>;
  /** The managed processes of all sessions. */
  processes(): Promise<ProcessList>;
  /** A part of what a process printed, with how it stands. */
  processTail(request: ProcessTailRequest): Promise<ProcessTail>;
  /** Sends text to a process, as the person. */
  writeProcess(input: ProcessInput): Promise<void>;
  /** Ends a process and all it started; answers once they have ended. */
  stopProcess(ref: ProcessRef): Promise<void>;
  /** Writes a fault of the page to the desk's log. */
  reportFault(fault: PageFault): Promise<void>;
  connect(): Promise<ConnectView>;
  /** What writing the entry of a client would change. */
  planClient(id: string): Promise<ClientPlan>;
  /** Writes it, if the change is still the one that was shown. */
  writeClient(write: ClientWrite): Promise<ClientPlan>;
  /** Ends the connection of a session's client. */
  disconnect(sessionId: string): Promise<void>;
  /** Both return a function that ends the subscription. `onState` calls back at once. */
  onEvent(listener: (event: Event) => void): () => void;
  onState(listener: (link: Link) => void): () => void;
}

/** What a method answers when it could not do what was asked. */
export class BridgeError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly fields: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'BridgeError';
  }
}

/** The code of a request that may or may not have reached the desk. */
export const lostCode = 'link.lost';

/** The sentence to show for whatever a method rejected with. */
export function sentence(cause: unknown): string {
  if (cause instanceof BridgeError && cause.message) return cause.message;
  return 'The desk could not do this, and gave no reason.';
}
