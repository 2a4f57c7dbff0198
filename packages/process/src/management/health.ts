/** Why a check fails, in words that may be read by whoever sees the management port. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Resolves where the dependency can be used now; rejects (or throws) where it cannot. */
export type ReadinessCheck = () => Promise<unknown> | unknown;

export type Readiness = {
  ready: boolean;
  /** `ok`, `waiting`, `failed`, `timeout` or the words of a `NotReady`, per named check; `starting or stopping` for the service itself. */
  checks: Readonly<Record<string, string>>;
  /** Named faults with which the service goes on: left out where there are none. */
  warnings?: Readonly<Record<string, string>>;
};

export type Health = {
  /** Names what the service cannot work without; re-using a name replaces the check. Throws where `checks` lacks the name. */
  addCheck(name: string, check: ReadinessCheck): void;
  /** Names a fault that an operator has to know of, and that taking this copy out of the balancer would not mend. */
  addWarning(name: string, find: () => string | undefined): void;
  readiness(): Promise<Readiness>;
};

export function createHealth({
  isReady,
  checks: expected,
  checkTimeoutMs = 2_000,
}: {
  isReady: () => boolean;
  /** All names that will come: each says `waiting`, and the service is not ready, until its check is added. */
  checks?: readonly string[];
  checkTimeoutMs?: number;
}): Health {
  const checks = new Map<string, ReadinessCheck>(expected?.map((name) => [name, isWaiting]));
  const warnings = new Map<string, () => string | undefined>();
  return {
    addWarning: (name, find) => void warnings.set(name, find),
    addCheck(name, check) {
      if (expected?.includes(name) === false) throw new Error(`the check "${name}" was not announced`);
      checks.set(name, check);
    },
    async readiness() {
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await outcome(check, checkTimeoutMs)] as const),
      );
      const running = isReady();
      const found = [...warnings].flatMap(([name, find]) => {
        const text = find();
        return text === undefined ? [] : [[name, text] as const];
      });
      return {
        ready: running && results.every(([, result]) => result === 'ok'),
        checks: { service: running ? 'ok' : 'starting or stopping', ...Object.fromEntries(results) },
        ...(found.length > 0 && { warnings: Object.fromEntries(found) }),
      };
    },
  };
}

function isWaiting(): never {
  throw new NotReady('waiting');
}

/** Of other failures only that they are: a driver's message may hold an address with its password. */
async function outcome(check: ReadinessCheck, timeoutMs: number): Promise<string> {
  const late = Promise.withResolvers<'timeout'>();
  const timer = setTimeout(() => late.resolve('timeout'), timeoutMs);
  try {
    const checked = Promise.resolve()
      .then(check)
      .then(() => 'ok' as const);
    checked.catch(() => undefined);
    return await Promise.race([checked, late.promise]);
  } catch (error) {
    return error instanceof NotReady ? error.message : 'failed';
  } finally {
    clearTimeout(timer);
  }
}
