/** Numbers that one sender may be behind its latest. Messages of one connection arrive in order, so few are needed. */
const windowSize = 4_096;

/**
 * Anti-replay window of one sender (RFC 4303, 3.4.3): accepts each number once, and none older than the window. It
 * takes half a kilobyte for each sender, however much it sends.
 */
export class ReplayWindow {
  readonly #seen = new Uint32Array(windowSize / 32);
  #highest = 0;

  /** @returns false for a number that was accepted before, or may have been */
  take(number: number): boolean {
    if (number <= this.#highest - windowSize) return false;
    if (number > this.#highest) this.#advance(number);
    else if (this.#has(number)) return false;
    this.#set(number);
    return true;
  }

  #advance(number: number): void {
    if (number - this.#highest >= windowSize) this.#seen.fill(0);
    else for (let passed = this.#highest + 1; passed <= number; passed += 1) this.#clear(passed);
    this.#highest = number;
  }

  #has(number: number): boolean {
    return ((this.#seen[word(number)] ?? 0) & bit(number)) !== 0;
  }

  #set(number: number): void {
    this.#seen[word(number)] = (this.#seen[word(number)] ?? 0) | bit(number);
  }

  #clear(number: number): void {
    this.#seen[word(number)] = (this.#seen[word(number)] ?? 0) & ~bit(number);
  }
}

function word(number: number): number {
  return Math.floor((number % windowSize) / 32);
}

function bit(number: number): number {
  return 1 << (number % 32);
}
