import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Keyring } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
import type { AuditAuthorities } from './authorities/audit-authorities.ts';
import { newestRevision, readAuthorityFile } from './authorities/authority-file.ts';
import { changeAuthorities, renewResponders } from './authorities/change-authorities.ts';
import { type OpenAuthorities, openAuthorities } from './authorities/open-authorities.ts';
import type { AuthorityKeys } from './authority-keys.ts';
import type { AuthoritySettings } from './authority-settings.ts';
import type { Issuers } from './issuer.ts';
import { openKeys } from './open-keys.ts';

/** Authorities at the time of reading; callers must not keep them for long. */
export interface LiveIssuers extends Issuers {
  /**
   * Loads a newer revision of the file. `prepare` gets the new authorities. If anything fails, the old state stays.
   * @returns whether there was a newer revision
   */
  refresh(prepare: (next: Issuers) => Promise<void>): Promise<boolean>;
  /**
   * Writes a revision with new responders for those near their end.
   * @returns whether there were any
   */
  renew(audit: AuditAuthorities): Promise<boolean>;
  /** Names the offline roots whose CRL expires soon. */
  endingCrls(): string[];
  close(): Promise<void>;
}

/** Notice for an offline root, whose ceremony needs people to meet. */
export const crlNoticeMs = 30 * DAY_MS;

/**
 * Opens the authorities.
 * @throws Error when there are none, or their keys cannot be opened
 */
export async function openIssuers(
  { authority }: { authority: Pick<AuthoritySettings, 'directory' | 'token'> },
  keyring: Pick<Keyring, 'sealTo' | 'open'>,
  clock: Clock,
): Promise<LiveIssuers> {
  const keys = openKeys(authority, keyring);
  const read = () => readAndOpen(authority.directory, { keys, now: clock() });
  let current = await read();
  // Fails now for a missing authority, not with the first certificate.
  selectIssuers(current, clock);
  return {
    get active() {
      return selectIssuers(current, clock).active;
    },
    get all() {
      return selectIssuers(current, clock).all;
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
      await prepare(selectIssuers(next, clock));
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

/**
 * Selects the active authority.
 * @throws Error when none is active yet, or all have expired
 */
function selectIssuers({ issuing, root, published }: OpenAuthorities, clock: Clock): Issuers {
  const now = clock();
  const active = issuing.find(({ activeFrom }) => activeFrom <= now)?.issuer;
  if (active === undefined) throw new Error('no authority is active');
  const others = issuing.map(({ issuer }) => issuer).filter((issuer) => issuer !== active);
  return { active, all: [active, ...others], root, published };
}
