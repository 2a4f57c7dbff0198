/** Thrown by operations that only make sense inside `database.transaction(...)`. */
export class TransactionRequired extends Error {
  override readonly name = 'TransactionRequired';
  constructor(operation: string) {
    super(`${operation} needs a transaction: the effect and its record must commit together`);
  }
}

interface Fault {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly previous?: unknown;
}

/**
 * Tells whether a row with the same unique key exists already.
 * @param constraint limits the check to that constraint or index
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return listCauses(error).some(
    (fault) => fault.code === '23505' && (constraint === undefined || fault.constraint === constraint),
  );
}

/**
 * Tells whether PostgreSQL could not be reached, went away or cut the connection (classes 08 and 57P, broken sockets).
 * It also covers a lack of what every statement needs: connections, disk or memory (class 53), a working file system
 * (58030), the right to write, which a standby lacks (25006). The outcome of a statement in progress is then unknown:
 * repeat only what may be repeated.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return listCauses(error).some(({ code, message }) => {
    if (
      typeof code === 'string' &&
      /^(08...|57P0[1-5]|53...|58030|25006|E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_).*)$/.test(code)
    ) {
      return true;
    }
    return typeof message === 'string' && connectionFaults.test(message);
  });
}

/** Messages of faults that `pg` reports without a code. */
const connectionFaults =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Lists an error and its causes. The ORM wraps the driver's error, under `cause` or `previous`. */
function listCauses(error: unknown): Fault[] {
  const faults: Fault[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && faults.length < 8) {
    const fault = next as Fault;
    faults.push(fault);
    if (next instanceof AggregateError) faults.push(...(next.errors as Fault[]));
    next = fault.cause ?? fault.previous;
  }
  return faults;
}
