import { address, integer, setting } from '@rubrica/process';
import { z } from 'zod';
import { makingAuthoritySettings } from '../../issuers/authority-settings.ts';

/** Shorter ones can be tried through by whoever has the folder. */
const leastPassphrase = 20;

/** What the root's place needs: no key, no database and no address of any service. */
export const rootSettings = z.object({
  directory: setting(z.string(), {
    env: 'ROOT_DIRECTORY',
    about: "the root's own folder: its certificate, what it has signed, where its key is",
  }),
  passphrase: setting(z.string().min(leastPassphrase).optional(), {
    env: 'ROOT_PASSPHRASE',
    about: `opens the root's key with \`CA_ISSUER=local\`; at least ${leastPassphrase} characters`,
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
  authority: makingAuthoritySettings.omit({ directory: true, refreshSeconds: true }),
});

export type RootConfig = z.output<typeof rootSettings>;
