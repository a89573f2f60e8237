/**
 * Pace runs a task soon after it was asked for, once for everyone who asked meanwhile, and
 * never more often than every so many milliseconds: a storm of hints costs as many
 * readings as time has room for, not as many as there are hints. A task after which frames
 * came late is run less often, so that most of the time stays for the person's own input.
 */
export class Pace {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;
  #lastHurried = -Infinity;
  /** The run that is asked for was to be hurried. */
  #hurried = false;
  #strain = new Strain();

  constructor(
    private readonly run: () => void,
    private readonly gapMs: number,
  ) {}

  /** Asks for a run. The first one comes after a frame, so that what comes together counts once. */
  ask(): void {
    this.#timer ??= setTimeout(() => this.#due(), this.#left());
  }

  /**
   * Asks for a run at once, however shortly after another: somebody waits for it. Of such
   * runs, too, there is one in every gap; what comes sooner is asked for like anything else.
   */
  hurry(): void {
    this.#hurried = true;
    if (performance.now() < this.#lastHurried + this.#gap()) this.ask();
    else this.#go();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#strain.stop();
  }

  #due(): void {
    // What the last run cost is known only now.
    const left = this.#last + this.#gap() - performance.now();
    if (left > 1) this.#timer = setTimeout(() => this.#due(), left);
    else this.#go();
  }

  #go(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = performance.now();
    if (this.#hurried) this.#lastHurried = this.#last;
    this.#hurried = false;
    this.#strain.watch(this.gapMs);
    this.run();
  }

  #left(): number {
    return Math.max(frameMs, this.#last + this.#gap() - performance.now());
  }

  #gap(): number {
    return Math.min(Math.max(this.gapMs, this.#strain.lostMs * restPerLost), Math.max(this.gapMs, longestMs));
  }
}

const frameMs = 16;
/** How long is rested for each millisecond by which frames came late: at most one in twenty is. */
const restPerLost = 20;
/** What happens is shown within this time, however slow the machine is. */
const longestMs = 750;

/** Strain is by how much frames came late in the time after something was begun. */
class Strain {
  lostMs = 0;
  #frame = 0;

  watch(forMs: number): void {
    this.stop();
    this.lostMs = 0;
    const begun = performance.now();
    let last = begun;
    const look = () => {
      const now = performance.now();
      // The first frame may be due at any moment.
      if (last !== begun) this.lostMs += Math.max(0, now - last - lateMs);
      last = now;
      if (now - begun < forMs) this.#frame = requestAnimationFrame(look);
    };
    this.#frame = requestAnimationFrame(look);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }
}

/** A frame that took longer than this was kept waiting; they come 60 times a second. */
const lateMs = 18;
