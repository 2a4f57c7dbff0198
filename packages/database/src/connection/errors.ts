/** Thrown by what only makes sense inside `database.transaction(...)`. */
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
 * True when a row with the same unique key is there already.
 * @param constraint when given, only for that constraint or index.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return chain(error).some(
    (fault) => fault.code === '23505' && (constraint === undefined || fault.constraint === constraint),
  );
}

/**
 * True when PostgreSQL could not be reached, went away, cut the connection (classes 08 and 57P, broken sockets), or has
 * not what any statement needs: connections, disk or memory (class 53), a file system that works (58030), the right to
 * write, which a standby has not (25006). The outcome of a statement that was under way is then unknown: repeat only
 * what may be repeated.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return chain(error).some(({ code, message }) => {
    if (
      typeof code === 'string' &&
      /^(08...|57P0[1-5]|53...|58030|25006|E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_).*)$/.test(code)
    ) {
      return true;
    }
    return typeof message === 'string' && connectionFaults.test(message);
  });
}

/** `pg` reports these without a code. */
const connectionFaults =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** The ORM wraps the driver's error, under `cause` or `previous`. */
function chain(error: unknown): Fault[] {
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
