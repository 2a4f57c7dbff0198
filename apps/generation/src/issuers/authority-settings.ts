import { type KeyAlgorithm, keyAlgorithms } from '@rubrica/pki';
import { integer, setting } from '@rubrica/process/config';
import { z } from 'zod';

/** Key types by their names in settings. */
const algorithms = Object.keys(keyAlgorithms) as [KeyAlgorithm, ...KeyAlgorithm[]];

const authorityDirectory = setting(z.string(), {
  env: 'CA_DIRECTORY',
  about: "folder with the built-in authority's certificates and sealed keys, shared by the copies",
});

const tokenSettings = z.object({
  module: setting(z.string().optional(), {
    env: 'PKCS11_MODULE',
    about: "path of the HSM's PKCS#11 module; needed where a key of an authority lives in one",
  }),
  label: setting(z.string().max(32).optional(), {
    env: 'PKCS11_TOKEN_LABEL',
    about: 'label of the token that holds the keys',
  }),
  pin: setting(z.string().optional(), {
    env: 'PKCS11_PIN',
    about: "the token's user PIN",
    secret: true,
  }),
});

const refreshSeconds = setting(integer({ min: 1, max: 3_600 }).default(60), {
  env: 'CA_REFRESH_SECONDS',
  about:
    'pause between two looks for changed authorities; a new one signs after two of them, when all copies know it',
});

/** Settings that a running service needs. */
export const authoritySettings = z.object({
  directory: authorityDirectory,
  refreshSeconds,
  token: tokenSettings,
});

/** Settings for creating authorities. */
export const newAuthoritySettings = authoritySettings.extend({
  issuer: setting(z.enum(['local', 'pkcs11']).default('local'), {
    env: 'CA_ISSUER',
    about: "where new authorities' keys are made: `local` (sealed files, for testing) or `pkcs11` (an HSM)",
  }),
  keyLabel: setting(z.string().min(1).max(32).default('rubrica'), {
    env: 'PKCS11_KEY_LABEL',
    about: 'what the labels of new keys in the token begin with',
  }),
  keyAlgorithm: setting(z.enum(algorithms).default('RSA_3072'), {
    env: 'CA_KEY_ALGORITHM',
    about: `keys of root and issuing authority when they are made: ${algorithms.join(', ')}`,
  }),
  organization: setting(z.string().min(1).max(64).default('Rubrica (testing only)'), {
    env: 'CA_ORGANIZATION',
    about: "organization in the authority's own name",
  }),
  commonName: setting(z.string().min(1).max(40).default('Rubrica Test'), {
    env: 'CA_COMMON_NAME',
    about: 'what the common names of root, issuing authorities and responders begin with',
  }),
});

export type TokenSettings = z.output<typeof tokenSettings>;
export type AuthoritySettings = z.output<typeof authoritySettings>;
export type NewAuthoritySettings = z.output<typeof newAuthoritySettings>;
