import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { outcome, showing, signIn } from './support/operator-session.ts';
import { enrolledPasskey, passkeyChallenge, signInByPasskey } from './support/passkeys.ts';
import { runningIntake } from './support/running-intake.ts';

const origin = 'https://console.example';
const email = 'admin@example.com';
const password = 'correct horse battery';

const intake = await disposeAfterAll(runningIntake({ PASSWORD_HASHES_AT_ONCE: '1', CONSOLE_URL: origin }));

/** From as many addresses, for as many accounts that are not there. */
const burst = (times: number) =>
  Array.from({ length: times }, (_, n) =>
    outcome(signIn(intake, { email: `nobody-${n}@example.com`, address: `203.0.113.${n}` })),
  );

it('sign-ins beyond the room for hashes are refused for now, and are not counted as tries', async () => {
  const answers = await Promise.all(burst(60));
  expect(new Set(answers)).toEqual(new Set(['UNAUTHENTICATED', 'RATE_LIMITED']));
  const judged = answers.filter((answer) => answer === 'UNAUTHENTICATED').length;
  // One at once and twenty that wait.
  expect(judged).toBeGreaterThanOrEqual(21);
  const [row] = await intake.query<{ count: number }>(
    'select count(*)::int as count from intake.sign_in_attempt where count > 0',
  );
  expect(row?.count).toBe(3 * judged);
});

it('a passkey and a session are not behind the hashes', async () => {
  const authenticator = await enrolledPasskey(intake, { email, password, origin });
  const settled = { sign: 0 };
  const signIns = burst(21).map((answer) => answer.then(() => (settled.sign += 1)));
  const signed = authenticator.get({ challenge: await passkeyChallenge(intake) });
  const session = await signInByPasskey(intake, signed);
  expect(session.scope).toBe('full');
  const { partners } = intake.operators({ kind: 'service', name: 'gateway' });
  expect(await outcome(partners.list.query({}, await showing(intake, session)))).toBe('answered');
  expect(settled.sign).toBeLessThan(signIns.length);
  await Promise.all(signIns);
});
