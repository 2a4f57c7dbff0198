import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Clock, Keyring } from '@rubrica/process';
import type { AuditAuthorities } from './authorities/audit-authorities.ts';
import { newestRevision, readAuthorityFile } from './authorities/authority-file.ts';
import { changeAuthorities, renewResponders } from './authorities/change-authorities.ts';
import { type OpenAuthorities, openAuthorities } from './authorities/open-authorities.ts';
import type { AuthorityKeys } from './authority-keys.ts';
import type { AuthoritySettings } from './authority-settings.ts';
import type { Issuers } from './issuer.ts';
import { openKeys } from './open-keys.ts';

/** The authorities as they are at the moment of reading: nobody may keep what was read for long. */
export interface LiveIssuers extends Issuers {
  /**
   * Loads a newer revision of the file. `prepare` is given what will count. When it or anything else fails, the old
   * state stays.
   * @returns whether there was one
   */
  refresh(prepare: (next: Issuers) => Promise<void>): Promise<boolean>;
  /** Writes a revision with new responders for those that near their end. @returns whether there were any */
  renew(audit: AuditAuthorities): Promise<boolean>;
  /** Names of roots that are elsewhere and whose CRL must soon be followed by the next. */
  endingCrls(): string[];
  close(): Promise<void>;
}

/** A root that is elsewhere has to be visited: time enough to bring people together for it. */
export const crlNoticeMs = 30 * DAY_MS;

/** @throws Error when there are no authorities, or their keys cannot be opened */
export async function openIssuers(
  { authority }: { authority: Pick<AuthoritySettings, 'directory' | 'token'> },
  keyring: Pick<Keyring, 'sealTo' | 'open'>,
  clock: Clock,
): Promise<LiveIssuers> {
  const keys = openKeys(authority, keyring);
  const read = () => readAndOpen(authority.directory, { keys, now: clock() });
  let current = await read();
  // An authority that is missing must show now, not with the first certificate.
  issuersOf(current, clock);
  return {
    get active() {
      return issuersOf(current, clock).active;
    },
    get all() {
      return issuersOf(current, clock).all;
    },
    get root() {
      return current.root;
    },
    get published() {
      return current.published;
    },
    async refresh(prepare) {
      if ((await newestRevision(authority.directory)) === current.revision) return false;
      const next = await read();
      await prepare(issuersOf(next, clock));
      current = next;
      return true;
    },
    async renew(audit) {
      const change = await changeAuthorities(authority.directory, (records) =>
        renewResponders(records, { keys, responders: keys.local, now: clock() }),
      );
      await audit('authorities.renew', change);
      return change.changed;
    },
    endingCrls() {
      const soon = clock().getTime() + crlNoticeMs;
      return current.published
        .filter(({ crl }) => crl !== undefined && crl.nextUpdate.getTime() <= soon)
        .map(({ name }) => name);
    },
    close: keys.close,
  };
}

async function readAndOpen(
  directory: string,
  { keys, now }: { keys: AuthorityKeys; now: Date },
): Promise<OpenAuthorities & { revision: number }> {
  const file = await readAuthorityFile(directory);
  if (file === undefined) {
    throw new Error(`${directory} holds no authorities: run "npm run provision" first`);
  }
  return { revision: file.revision, ...(await openAuthorities(file.authorities, { keys, now })) };
}

/** @throws Error when none is active yet, or none lives any more */
function issuersOf({ issuing, root, published }: OpenAuthorities, clock: Clock): Issuers {
  const now = clock();
  const active = issuing.find(({ activeFrom }) => activeFrom <= now)?.issuer;
  if (active === undefined) throw new Error('no authority is active');
  const others = issuing.map(({ issuer }) => issuer).filter((issuer) => issuer !== active);
  return { active, all: [active, ...others], root, published };
}
