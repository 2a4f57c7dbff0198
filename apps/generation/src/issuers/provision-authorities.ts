import type { Keyring } from '@rubrica/process/keyring';
import type { AuditAuthorities } from './authorities/audit-authorities.ts';
import { changeAuthorities, renewResponders } from './authorities/change-authorities.ts';
import { createAuthorities } from './authorities/make-authority.ts';
import type { NewAuthoritySettings } from './authority-settings.ts';
import { openKeys } from './open-keys.ts';

/** Creates the built-in authority where there is none, and renews responders near their end. Safe to repeat. */
export async function provisionAuthorities(
  { address, authority }: { address: { pki: string }; authority: NewAuthoritySettings },
  { keyring, audit, now }: { keyring: Pick<Keyring, 'sealTo' | 'open'>; audit: AuditAuthorities; now: Date },
): Promise<'created' | 'renewed' | 'unchanged'> {
  const keys = openKeys({ token: authority.token }, keyring);
  try {
    const change = await changeAuthorities(authority.directory, async (records) => {
      if (records.length > 0) return renewResponders(records, { keys, responders: keys.local, now });
      // Keys in an HSM are created at a ceremony, in the presence of people.
      if (authority.issuer === 'pkcs11') {
        throw new Error(
          `${authority.directory} holds no authorities: their key ceremony comes first ("npm run ca -- --help")`,
        );
      }
      return createAuthorities({
        ...authority,
        pkiBaseUrl: address.pki,
        now,
        keys: { authorities: keys, responders: keys.local },
      });
    });
    if (!change.changed) return 'unchanged';
    const isFirst = change.file?.revision === 1;
    await audit(isFirst ? 'authorities.init' : 'authorities.renew', change);
    return isFirst ? 'created' : 'renewed';
  } finally {
    await keys.close();
  }
}
