import type { Bridge, Link } from './bridge';
import type {
  AnswerRequest,
  BatchRequest,
  CallTailRequest,
  ChangeQuery,
  ChangeRequest,
  ChangesRequest,
  ClientWrite,
  DiffLinesRequest,
  Event,
  ExcerptRequest,
  FindRequest,
  HistoryQuery,
  MatchRequest,
  RehearsalRequest,
  OutputFindRequest,
  OutputLinesRequest,
  OutputPieceRequest,
  OutputRangeRequest,
  OutputRef,
  PageRequest,
  PageFault,
  PathTry,
  ProcessInput,
  ProcessRef,
  ProcessTailRequest,
  RevealRequest,
  RulesPatch,
  SetAcceptance,
  SetChange,
  SetRef,
  SettingChange,
  TaskRequest,
  TrustAnswer,
  TryRequest,
} from './dto';

/**
 * The methods of the desk by name, and who listens. How a question gets there and an
 * answer comes back is the transport's: a socket, or the window's own binding.
 */
export abstract class RemoteBridge implements Bridge {
  #events = new Set<(event: Event) => void>();
  #states = new Set<(link: Link) => void>();
  #link: Link = 'connecting';

  /** Asks a method of the desk; rejects with a BridgeError. */
  // The desk's own types are mirrored in dto.ts, so what arrives is taken at its word.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  protected abstract ask(method: string, ...params: unknown[]): Promise<any>;

  snapshot = () => this.ask('Snapshot');
  sessionPage = (request: PageRequest) => this.ask('SessionPage', request);
  sessionChanges = (request: ChangesRequest) => this.ask('SessionChanges', request);
  sessionFind = (request: FindRequest) => this.ask('SessionFind', request);
  message = (sessionId: string, id: string) => this.ask('Message', sessionId, id);
  callTail = (request: CallTailRequest) => this.ask('CallTail', request);
  callProgress = () => this.ask('CallProgress');
  stopCall = (id: string) => this.ask('StopCall', id);
  call = (id: string) => this.ask('Call', id);
  diffLines = (request: DiffLinesRequest) => this.ask('DiffLines', request);
  excerpt = (request: ExcerptRequest) => this.ask('Excerpt', request);
  approval = (id: string) => this.ask('Approval', id);
  answer = (request: AnswerRequest) => this.ask('Answer', request);
  reveal = (request: RevealRequest) => this.ask('Reveal', request);
  answerBatch = (request: BatchRequest) => this.ask('AnswerBatch', request);
  changeForm = (query: ChangeQuery) => this.ask('ChangeForm', query);
  changeArguments = (request: ChangeRequest) => this.ask('ChangeArguments', request);
  wouldMatch = (request: MatchRequest) => this.ask('WouldMatch', request);
  dismissLeft = (sessionId: string) => this.ask('DismissLeft', sessionId);
  answerTrust = (answer: TrustAnswer) => this.ask('AnswerTrust', answer);
  trusts = () => this.ask('Trusts');
  forgetTrust = (root: string) => this.ask('ForgetTrust', root);
  tools = () => this.ask('Tools');
  switchSet = (change: SetChange) => this.ask('SwitchSet', change);
  reloadSets = () => this.ask('ReloadSets');
  setDrift = (ref: SetRef) => this.ask('SetDrift', ref);
  acceptSet = (acceptance: SetAcceptance) => this.ask('AcceptSet', acceptance);
  tryForm = (tool: string) => this.ask('TryForm', tool);
  tryTool = (request: TryRequest) => this.ask('TryTool', request);
  settings = () => this.ask('Settings');
  setSetting = (change: SettingChange) => this.ask('SetSetting', change);
  rehearse = (request: RehearsalRequest) => this.ask('Rehearse', request);
  setRules = (patch: RulesPatch) => this.ask('SetRules', patch);
  grants = () => this.ask('Grants');
  revokeGrant = (id: string) => this.ask('RevokeGrant', id);
  pathRules = () => this.ask('PathRules');
  tryPath = (request: PathTry) => this.ask('TryPath', request);
  history = (query: HistoryQuery) => this.ask('History', query);
  historyCall = (id: string) => this.ask('HistoryCall', id);
  historyChoices = () => this.ask('HistoryChoices');
  output = (ref: OutputRef) => this.ask('Output', ref);
  outputLines = (request: OutputLinesRequest) => this.ask('OutputLines', request);
  outputPiece = (request: OutputPieceRequest) => this.ask('OutputPiece', request);
  outputFind = (request: OutputFindRequest) => this.ask('OutputFind', request);
  outputRange = (request: OutputRangeRequest) => this.ask('OutputRange', request);
  keepOutput = (ref: OutputRef) => this.ask('KeepOutput', ref);
  processes = () => this.ask('Processes');
  processTail = (request: ProcessTailRequest) => this.ask('ProcessTail', request);
  writeProcess = (input: ProcessInput) => this.ask('WriteProcess', input);
  stopProcess = (ref: ProcessRef) => this.ask('StopProcess', ref);
  startTask = (request: TaskRequest) => this.ask('StartTask', request);
  stopTurn = (sessionId: string) => this.ask('StopTurn', sessionId);
  connect = () => this.ask('Connect');
  planClient = (id: string) => this.ask('PlanClient', id);
  writeClient = (write: ClientWrite) => this.ask('WriteClient', write);
  disconnect = (sessionId: string) => this.ask('Disconnect', sessionId);

  reportFault = (fault: PageFault) => this.ask('ReportFault', fault);

  onEvent(listener: (event: Event) => void): () => void {
    this.#events.add(listener);
    return () => this.#events.delete(listener);
  }

  onState(listener: (link: Link) => void): () => void {
    this.#states.add(listener);
    listener(this.#link);
    return () => this.#states.delete(listener);
  }

  protected get link(): Link {
    return this.#link;
  }

  /** Tells everyone that the link has changed. */
  protected say(link: Link): void {
    this.#link = link;
    for (const listener of this.#states) listener(link);
  }

  /** Hands a hint to everyone. */
  protected tell(event: Event): void {
    for (const listener of this.#events) listener(event);
  }
}
