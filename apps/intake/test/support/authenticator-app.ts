import { Secret, TOTP } from 'otpauth';
import { totpForm } from '../../src/access/factors/totp.ts';
import { provenBy, type SignedIn, showing } from './operator-session.ts';
import type { RunningIntake } from './running-intake.ts';

/** Code that an app shows at a moment. */
export function codeAt(secret: string, now: Date): string {
  return TOTP.generate({ ...totpForm, secret: Secret.fromBase32(secret), timestamp: now.getTime() });
}

interface Enrolment {
  readonly session: SignedIn;
  readonly operatorId: string;
  readonly now: Date;
}

/** Enrols an app for one-time codes. @returns its secret, and the recovery codes */
export async function enrolApp(intake: RunningIntake, { session, operatorId, now }: Enrolment) {
  const { enrolTotp } = intake.operators({ kind: 'service', name: 'gateway' }).auth;
  const { keyring } = await intake.ground.peer('gateway');
  const shown = await showing(intake, session);
  const proof = await provenBy(intake, operatorId);
  const begun = await enrolTotp.mutate(proof, shown);
  if (!('secret' in begun)) throw new Error('no secret was made');
  const secret = await keyring.openText(begun.secret, { purpose: 'totp-secret-shown', owner: operatorId });
  const binding = { purpose: 'account-code', owner: operatorId } as const;
  const code = await keyring.sealTo('intake', codeAt(secret, now), binding);
  const made = await enrolTotp.mutate({ ...proof, code }, shown);
  if (!('recoveryCodes' in made)) throw new Error('nothing was confirmed');
  const open = (one: string) => keyring.openText(one, { purpose: 'recovery-codes', owner: operatorId });
  return { secret, recoveryCodes: await Promise.all(made.recoveryCodes.map(open)) };
}
