/** Seeded random numbers: the same seed gives the same simulation on every machine. */

/** sfc32, by Chris Doty-Humphrey: small, fast, and good enough for a simulation. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  /** `name` distinguishes streams of one seed: a draw in one part does not change the draws of another. */
  constructor(seed: number, name = '') {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    this.#c = [...name].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 17);
    for (let i = 0; i < 12; i++) this.#draw();
  }

  #draw(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** A number in [0, 1). */
  fraction(): number {
    return this.#draw() / 2 ** 32;
  }

  /** A whole number in [0, end). */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** A whole number in [first, last]. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error('Nothing to pick from');
    return choice;
  }

  bytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => this.#draw() >>> 24);
  }
}
