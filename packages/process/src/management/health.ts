/** Reason why a check fails, in a text that any reader of the management port may see. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Resolves if the dependency can be used now; rejects (or throws) if it cannot. */
export type ReadinessCheck = () => Promise<unknown> | unknown;

export type Readiness = {
  ready: boolean;
  /**
   * `ok`, `waiting`, `failed`, `timeout` or the text of a `NotReady`, per named check; `starting or stopping` for the
   * service itself.
   */
  checks: Readonly<Record<string, string>>;
  /** Named faults that do not stop the service; absent if there are none. */
  warnings?: Readonly<Record<string, string>>;
};

export type Health = {
  /**
   * Adds a check of something that the service cannot work without; re-using a name replaces the check. Throws if
   * `checks` lacks the name.
   */
  addCheck(name: string, check: ReadinessCheck): void;
  /** Adds a fault that an operator must know, and that removing this copy from the balancer would not fix. */
  addWarning(name: string, find: () => string | undefined): void;
  readiness(): Promise<Readiness>;
};

export function createHealth({
  isReady,
  checks: expected,
  checkTimeoutMs = 2_000,
}: {
  isReady: () => boolean;
  /** All names to come: each reports `waiting`, and the service is not ready, until its check is added. */
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
        [...checks].map(async ([name, check]) => [name, await runCheck(check, checkTimeoutMs)] as const),
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

/**
 * Returns the outcome of a check. Of other failures it reveals nothing more: a driver's message may contain an address
 * with its password.
 */
async function runCheck(check: ReadinessCheck, timeoutMs: number): Promise<string> {
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
