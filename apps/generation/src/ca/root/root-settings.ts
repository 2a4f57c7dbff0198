import { address, integer, setting } from '@rubrica/process/config';
import { z } from 'zod';
import { newAuthoritySettings } from '../../issuers/authority-settings.ts';

/** Minimum length; a shorter passphrase can be brute-forced by anyone who has the folder. */
const minPassphraseLength = 20;

/** Settings of the root. They need no key, database or address of any service. */
export const rootSettings = z.object({
  directory: setting(z.string(), {
    env: 'ROOT_DIRECTORY',
    about: "the root's own folder: its certificate, what it has signed, where its key is",
  }),
  passphrase: setting(z.string().min(minPassphraseLength).optional(), {
    env: 'ROOT_PASSPHRASE',
    about: `opens the root's key with \`CA_ISSUER=local\`; at least ${minPassphraseLength} characters`,
    secret: true,
  }),
  crlLifetimeDays: setting(integer({ min: 1, max: 366 }).default(180), {
    env: 'ROOT_CRL_LIFETIME_DAYS',
    about: "time from the root's CRL to its nextUpdate",
  }),
  pki: setting(address(['http:']), {
    env: 'PKI_BASE_URL',
    about: 'http address under which certificates, CRL and OCSP are published, as in the service',
  }),
  authority: newAuthoritySettings.omit({ directory: true, refreshSeconds: true }),
});

export type RootConfig = z.output<typeof rootSettings>;
