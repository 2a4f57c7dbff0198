import { setTimeout as delay } from 'node:timers/promises';
import { sandboxPeople as people } from '@rubrica/contracts/rest/sandbox-people';
import type { SqlRunner } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { type Clock, formatLocalDate } from '@rubrica/process/time';
import {
  type CompanyAnswer,
  type Person,
  type PersonAnswer,
  type PersonNames,
  type PersonQuery,
  type Registries,
  registrationAttempt,
} from './registry.ts';

interface SandboxCase {
  readonly person?: Partial<Person>;
  /** Age that the person reaches today, or `plusDays` later. */
  readonly age?: { readonly years: number; readonly plusDays?: number };
  readonly notFound?: true;
  /** Number of first attempts during which the registry is down. */
  readonly downFor?: number;
  readonly slowMs?: number;
  readonly acceptedFingerCode?: string;
}

/** Cédulas with an agreed outcome; every other well-formed one is a living adult whose data match. */
export const registryExceptions: Readonly<Record<string, SandboxCase>> = {
  [people.needsVideo]: { person: { birthDate: '1950-01-01' } },
  [people.turns65Today]: { age: { years: 65 } },
  [people.turns65Tomorrow]: { age: { years: 65, plusDays: 1 } },
  [people.underage]: { age: { years: 17 } },
  [people.deceased]: { person: { deceased: true } },
  [people.notFound]: { notFound: true },
  [people.fingerCodeMismatch]: { acceptedFingerCode: 'V4333V2222' },
  [people.nameMismatch]: { person: { namesMatch: false } },
  [people.registryDown]: { downFor: Number.POSITIVE_INFINITY },
  [people.registryDownOnce]: { downFor: 1 },
  // In the API flow the proof of life reports it, after the registry: `liveness/sandbox.ts`.
  [people.selfieMismatch]: { person: { selfieMatches: false } },
  [people.needsReview]: { person: { needsReview: true } },
  [people.slowRegistry]: { slowMs: 5_000 },
};

const companies: Readonly<Record<string, Partial<Extract<CompanyAnswer, { outcome: 'found' }>>>> = {
  '2490000103001': { active: false },
  '2490000200001': { representedByApplicant: false },
};

/**
 * Computes the birth date of a person who turns `years` on `today` plus `plusDays`. Both dates are
 * `yyyy-MM-dd`.
 */
export function birthDateFor(today: string, age: { years: number; plusDays?: number }): string {
  const birthday = new Date(`${today}T00:00:00Z`);
  birthday.setUTCDate(birthday.getUTCDate() + (age.plusDays ?? 0));
  const born = new Date(birthday);
  born.setUTCFullYear(birthday.getUTCFullYear() - age.years);
  // Nobody is born on a 29 February that did not exist: such a person is a day older instead.
  if (born.getUTCMonth() !== birthday.getUTCMonth()) born.setUTCDate(0);
  return born.toISOString().slice(0, 10);
}

export interface SandboxOptions {
  readonly sql: SqlRunner;
  readonly clock: Clock;
  readonly timeZone: string;
}

/** Names of persons whose request sends none. */
const sandboxNames: PersonNames = { given: 'MARÍA JOSÉ', surname: 'ÑÚÑEZ', secondSurname: 'PAZMIÑO' };

/** Attempt of a request and step. Attempts are counted in the database, so that any copy may answer. */
type Attempt = Pick<PersonQuery, 'requestId' | 'attempt'>;

const count = statement<Attempt, { readonly count: number }>({
  name: 'count-sandbox-attempt',
  sql: `
with added as (
  insert into sandbox_attempt (request_id, step, attempt) values (:requestId, 'registry', :attempt)
  on conflict do nothing
)
select count(*)::int + 1 as count from sandbox_attempt
where request_id = :requestId and step = 'registry' and attempt < :attempt`,
});

async function countAttempt(sql: SqlRunner, { requestId, attempt }: Attempt): Promise<number> {
  if (attempt === registrationAttempt) return 1;
  const [row] = await count.run(sql, { requestId, attempt });
  return row?.count ?? 1;
}

async function answersInTime({ slowMs = 0 }: SandboxCase, signal: AbortSignal): Promise<boolean> {
  if (slowMs === 0) return true;
  await delay(slowMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/**
 * Creates registries in process, which answer the same question the same way: for the embedded stack and for
 * tests.
 */
export function createSandboxRegistries({ sql, clock, timeZone }: SandboxOptions): Registries {
  return {
    async lookUpPerson(query): Promise<PersonAnswer> {
      const exception = registryExceptions[query.identificationNumber] ?? {};
      if (!(await answersInTime(exception, query.signal))) return { outcome: 'unavailable' };
      const attempt = exception.downFor === undefined ? 1 : await countAttempt(sql, query);
      if (attempt <= (exception.downFor ?? 0)) return { outcome: 'unavailable' };
      if (exception.notFound) return { outcome: 'not-found' };
      const { acceptedFingerCode, age } = exception;
      return {
        outcome: 'found',
        person: {
          birthDate: age ? birthDateFor(formatLocalDate(clock(), timeZone), age) : '1990-01-01',
          deceased: false,
          fingerCodeMatches: acceptedFingerCode === undefined || query.fingerCode === acceptedFingerCode,
          namesMatch: true,
          names: query.names === null ? sandboxNames : null,
          needsReview: false,
          ...exception.person,
        },
      };
    },
    async lookUpCompany({ ruc }) {
      return { outcome: 'found', active: true, representedByApplicant: true, ...companies[ruc] };
    },
  };
}
