import { AppError } from '@rubrica/process';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** Hashes passwords, a few at once: each keeps a core and a thread of the pool busy for a tenth of a second. */
export interface PasswordHashes {
  /** @throws HashesBusy */
  hash(password: string): Promise<string>;
  /** @throws HashesBusy */
  verify(password: string, stored: string): Promise<boolean>;
  /** Refuses a caller that is about to ask, before anything of it is counted or read. @throws HashesBusy */
  assertRoom(): void;
}

export interface HashLimits {
  readonly atOnce: number;
  /** Those that wait for the ones at once; a longer queue would be answered after its callers have gone. */
  readonly waiting: number;
}

/** Nothing was hashed: the caller's password was judged neither right nor wrong. */
export class HashesBusy extends AppError {
  constructor() {
    super({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  }
}

export function createPasswordHashes({ atOnce, waiting }: HashLimits): PasswordHashes {
  const queue: Array<() => void> = [];
  let running = 0;
  const assertRoom = () => {
    if (running >= atOnce && queue.length >= waiting) throw new HashesBusy();
  };
  const limited = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    assertRoom();
    // Whoever ends hands its place to the next.
    if (running >= atOnce) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
  return {
    assertRoom,
    hash: (password) => limited(() => hashPassword(password)),
    verify: (password, stored) => limited(() => verifyPassword(password, stored)),
  };
}
