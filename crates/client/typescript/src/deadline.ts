// A limit of time.

/** Ends what takes longer than a time, or when the caller's signal does. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #forward = (): void => this.#controller.abort(this.from?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly ms: number,
    readonly from: AbortSignal | undefined,
  ) {
    if (from?.aborted) this.#forward();
    else from?.addEventListener("abort", this.#forward, { once: true });
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** No time is counted until it begins again. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** The time begins again. */
  restart(): void {
    this.pause();
    const late = new DOMException("The service takes too long.", "TimeoutError");
    this.#timer = setTimeout(() => this.#controller.abort(late), this.ms);
  }

  /** There is nothing more to wait for. */
  end(): void {
    this.pause();
    this.from?.removeEventListener("abort", this.#forward);
  }
}
