import { commaList, setting } from '@rubrica/process/config';
import { z } from 'zod';

export const passkeySettings = z.object({
  rpId: setting(z.string().toLowerCase().min(1).max(253).optional(), {
    env: 'OPERATOR_PASSKEY_RP_ID',
    about:
      "domain that operators' passkeys are for, if not the host of `CONSOLE_URL`; another one ends all passkeys",
  }),
  origins: setting(commaList().optional(), {
    env: 'OPERATOR_PASSKEY_ORIGINS',
    about: 'origins at which they may be used, divided by commas, if not that of `CONSOLE_URL` alone',
  }),
});

export type PasskeySettings = z.output<typeof passkeySettings>;

/**
 * Relying party of the passkeys, which browser and authenticator sign with the challenge (WebAuthn §5.4.2).
 */
export interface RelyingParty {
  readonly rpId: string;
  readonly name: string;
  readonly origins: readonly string[];
}

export interface PasskeyDeps {
  readonly relyingParty: RelyingParty;
}

export function toRelyingParty(
  { rpId, origins }: PasskeySettings,
  { consoleUrl, name }: { readonly consoleUrl: string; readonly name: string },
): RelyingParty {
  const { hostname, origin } = new URL(consoleUrl);
  return { rpId: rpId ?? hostname, name, origins: origins ?? [origin] };
}
