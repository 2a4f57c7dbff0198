export { fenceInStepSql, namedLockSql } from './named-lock-sql.ts';
export { createOwnerWatch } from './owner-watch.ts';
export { lockName } from './row-lock.ts';
export {
  assertLockHeld,
  createSessionLock,
  heldLockSql,
  type SessionLock,
  trySessionLock,
} from './session-lock.ts';
