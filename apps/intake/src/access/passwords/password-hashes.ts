import { createLimit, type Limits } from './limit.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/**
 * Hashes passwords, a few at once: each one keeps a core and a thread of the pool busy for a tenth of a
 * second.
 */
export interface PasswordHashes {
  /** @throws Busy */
  hash(password: string): Promise<string>;
  /** @throws Busy if the password was not judged at all */
  verify(password: string, stored: string): Promise<boolean>;
  /** Refuses a caller before anything of its call is counted or read. @throws Busy */
  assertRoom(): void;
}

export interface PasswordDeps {
  readonly passwordHashes: PasswordHashes;
}

export function createPasswordHashes(limits: Limits): PasswordHashes {
  const { run, assertRoom } = createLimit(limits);
  return {
    assertRoom,
    hash: (password) => run(() => hashPassword(password)),
    verify: (password, stored) => run(() => verifyPassword(password, stored)),
  };
}
