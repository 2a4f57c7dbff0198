import type { Keyring } from '@rubrica/service';
import type { ProvisioningConfig } from '../config.ts';
import { changeAuthorities, renewResponders } from './authorities/change-authorities.ts';
import { createAuthorities } from './authorities/make-authority.ts';
import { sealedKeys } from './local/sealed-keys.ts';

/** Makes the built-in authority where there is none, and renews responders near their end. Safe to repeat. */
export async function provisionAuthorities(
  { address, authority }: Pick<ProvisioningConfig, 'address' | 'authority'>,
  { keyring, now }: { keyring: Pick<Keyring, 'sealTo' | 'open'>; now: Date },
): Promise<'created' | 'renewed' | 'unchanged'> {
  const keys = sealedKeys(keyring);
  const { changed, file } = await changeAuthorities(authority.directory, async (records) =>
    records.length > 0
      ? renewResponders(records, { keys, responders: keys, now })
      : createAuthorities({
          organization: authority.organization,
          commonName: authority.commonName,
          keyAlgorithm: authority.keyAlgorithm,
          pkiBaseUrl: address.pki,
          now,
          keys: { authorities: keys, responders: keys },
        }),
  );
  if (!changed) return 'unchanged';
  return file?.revision === 1 ? 'created' : 'renewed';
}
