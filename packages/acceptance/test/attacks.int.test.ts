import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Attacks that a test tries with real keys and credentials, and that must gain nothing. */
const attacks: readonly {
  /** Keys or credentials that the attacker has. */
  readonly keys: string;
  /** Goal of the attacker. */
  readonly deed: string;
  readonly test: string;
  /** Part of the test's name. */
  readonly name: string;
}[] = [
  {
    keys: 'gateway',
    deed: 'act as an administrator who does not exist, make a partner, revoke a certificate',
    test: 'packages/acceptance/e2e/gateway-attacks.e2e.test.ts',
    name: 'act as an administrator who does not exist, make a partner, revoke a certificate',
  },
  {
    keys: 'gateway',
    deed: 'act as any partner',
    test: 'packages/acceptance/e2e/gateway-attacks.e2e.test.ts',
    name: 'act as any partner',
  },
  {
    keys: 'gateway, notifier',
    deed: 'take any PKCS#12 with its password',
    test: 'packages/acceptance/e2e/notifier-attacks.e2e.test.ts',
    name: 'notifier: take any PKCS#12',
  },
  {
    keys: 'notifier',
    deed: 'read the webhook secrets of all partners',
    test: 'packages/acceptance/e2e/notifier-attacks.e2e.test.ts',
    name: 'notifier: read webhook secrets of all partners',
  },
  {
    keys: 'gateway, intake, generation, notifier',
    deed: 'delete streams',
    test: 'packages/acceptance/test/bus-attacks.int.test.ts',
    name: 'gateway, intake, generation, notifier: delete streams',
  },
  {
    keys: 'gateway, intake, generation, notifier',
    deed: 'put messages of their choice on denied subjects',
    test: 'packages/acceptance/test/bus-attacks.int.test.ts',
    name: 'forged events and jobs',
  },
  {
    keys: 'one administrator',
    deed: "set a partner's review policy from four eyes to automatic",
    test: 'packages/acceptance/e2e/people.e2e.test.ts',
    name: 'one administrator does not set the review policy of a partner from four eyes to automatic',
  },
  {
    keys: 'two disabled reviewers',
    deed: 'finish a four-eyes approval',
    test: 'packages/acceptance/e2e/people.e2e.test.ts',
    name: 'is not finished by two disabled reviewers',
  },
  {
    keys: 'nobody',
    deed: 'keep the gateway at 503 with 285 slow sockets',
    test: 'packages/acceptance/e2e/attacks-at-the-doors.e2e.test.ts',
    name: 'where 285 kept the gateway at 503',
  },
  {
    keys: "gateway's bus user",
    deed: 'destroy all evidence with one message, a roll-up',
    test: 'packages/acceptance/test/evidence-bucket.int.test.ts',
    name: 'gateway’s bus user: destroy all evidence with one message, which it does not by',
  },
  {
    keys: "a backup of intake's tables, gateway's bus user",
    deed: 'act as any partner',
    test: 'packages/acceptance/e2e/database-attacks.e2e.test.ts',
    name: 'a backup of intake’s tables and the gateway’s bus user: act as any partner',
  },
  {
    keys: "intake's bus user",
    deed: "read all applicants' data in calls, unseen",
    test: 'packages/acceptance/e2e/own-stack/bus-passwords.e2e.test.ts',
    name: 'copies no call to intake',
  },
  {
    keys: "intake's bus user",
    deed: "have the authority's mailer send a link of one's own to anybody",
    test: 'packages/acceptance/e2e/own-stack/bus-passwords.e2e.test.ts',
    name: 'has no letter sent where it wants',
  },
  {
    keys: "gateway's bus user",
    deed: 'act as an administrator with a call token that was overheard',
    test: 'packages/acceptance/e2e/own-stack/bus-passwords.e2e.test.ts',
    name: 'acts as no operator with a token that it has heard',
  },
  {
    keys: "gateway's and intake's bus users",
    deed: 'act as partners and operators with sealed tokens that were overheard',
    test: 'packages/acceptance/e2e/own-stack/bus-passwords.e2e.test.ts',
    name: 'shows no sealed token of a partner or an operator again',
  },
  {
    keys: "generation's bus user",
    deed: 'serve recorded OCSP answers and lists after a revocation',
    test: 'packages/acceptance/e2e/own-stack/bus-passwords.e2e.test.ts',
    name: 'answers no question about a certificate',
  },
  {
    keys: "generation's bus user",
    deed: 'end a request, or have a certificate shown as revoked, by a false event',
    test: 'apps/intake/test/unsigned-events.int.test.ts',
    name: 'changes nothing',
  },
  {
    keys: "an operator's password",
    deed: 'try one-time codes without end from many addresses',
    test: 'apps/intake/test/wrong-codes.int.test.ts',
    name: 'are compared ten times, however many are tried at once from however many addresses',
  },
  {
    keys: "an operator's password, intake's database role",
    deed: 'set the count of wrong codes back',
    test: 'apps/intake/test/wrong-codes.int.test.ts',
    name: 'puts no earlier row back, MAC and all',
  },
  {
    keys: 'nobody',
    deed: 'keep operators and partners at 503 with sign-ins within every limit',
    test: 'packages/acceptance/e2e/own-stack/sign-in-burst.e2e.test.ts',
    name: 'a burst of sign-ins within every limit is answered 401 or 429',
  },
  {
    keys: 'nobody',
    deed: 'keep others from tokens, claims, sign-ins and OCSP by slow bodies',
    test: 'apps/gateway/test/slow-sockets.int.test.ts',
    name: 'at $path that fill its room keep out no body that comes at once',
  },
  {
    keys: 'nobody',
    deed: 'end the console by 400 bodies of 1 MiB',
    test: 'apps/console/test/bodies.int.test.ts',
    name: 'is refused before a byte of its body has come',
  },
  {
    keys: "terms's bus user",
    deed: 'keep all other services from calling intake, by garbage of its own',
    test: 'packages/bus/test/named-callers.int.test.ts',
    name: 'takes nothing of a caller for a while after a flood of messages',
  },
  {
    keys: 'a page on another port of the host',
    deed: "decide with an operator's cookie",
    test: 'packages/acceptance/e2e/attacks-at-the-doors.e2e.test.ts',
    name: 'decides nothing with what a browser sends along: no cookie is a credential',
  },
  {
    keys: 'a place in the network',
    deed: 'be taken for a service, or for nats-server',
    test: 'packages/stack/test/tls.int.test.ts',
    name: 'TLS to the bus',
  },
  {
    keys: 'a place in the network',
    deed: 'be taken for PostgreSQL',
    test: 'packages/database/test/tls.int.test.ts',
    name: 'TLS to PostgreSQL',
  },
  {
    keys: "a service's certificate",
    deed: 'join a cluster as a server',
    test: 'packages/stack/test/cluster.int.test.ts',
    name: 'let nobody in as a server by %s',
  },
  {
    keys: "generation's key file and database role",
    deed: 'have a revocation vanish from the next signed list',
    test: 'apps/generation/test/forged-lists.int.test.ts',
    name: 'a revocation stays in the signed list, whatever entry of a list the key file makes',
  },
  {
    keys: "intake's database role",
    deed: "claim another's certificate by a link of one's own",
    test: 'packages/acceptance/e2e/database-attacks.e2e.test.ts',
    name: 'intake’s database role alone: claim another’s certificate by a link of one’s own',
  },
  {
    keys: "intake's database role",
    deed: 'guess a code without end',
    test: 'apps/intake/test/forged-codes.int.test.ts',
    name: 'after each guess, is compared five times still',
  },
  {
    keys: "intake's database role",
    deed: 'have a certificate renewed any number of times',
    test: 'apps/intake/test/forged-renewals.int.test.ts',
    name: 'is not renewed again once the row of its renewal is %s',
  },
  {
    keys: "intake's database role",
    deed: 'keep a certificate in force that its renewal supersedes',
    test: 'apps/intake/test/forged-renewals.int.test.ts',
    name: 'is revoked although its time was set to %s',
  },
  {
    keys: 'nobody',
    deed: 'keep a subscriber from revoking with 18 requests',
    test: 'apps/intake/test/revocation-askers.int.test.ts',
    name: 'a stranger who asks three times and guesses fifteen times',
  },
  {
    keys: "intake's database role",
    deed: 'have a certificate made for anybody, with its key and password',
    test: 'packages/acceptance/e2e/own-stack/stored-decisions.e2e.test.ts',
    name: 'intake’s database role: have a certificate made',
  },
  {
    keys: "intake's database role",
    deed: 'have a webhook secret mailed in clear, or a claim link sent elsewhere',
    test: 'packages/acceptance/e2e/own-stack/stored-decisions.e2e.test.ts',
    name: 'intake’s database role: have mails of its own sent',
  },
  {
    keys: "notifier's database role",
    deed: 'have a file and its password sent elsewhere',
    test: 'packages/acceptance/e2e/own-stack/stored-decisions.e2e.test.ts',
    name: 'notifier’s database role: have a file and its password sent elsewhere',
  },
  {
    keys: "terms's database role",
    deed: 'keep administrators from disabling an operator',
    test: 'packages/acceptance/e2e/own-stack/terms-role-attacks.e2e.test.ts',
    name: 'keeps no administrator from disabling an operator',
  },
  {
    keys: "terms's database role",
    deed: 'stop the relay of another service, so that no certificate comes',
    test: 'packages/acceptance/e2e/own-stack/terms-role-attacks.e2e.test.ts',
    name: 'stops no relay at a failover: a request comes to its certificate',
  },
  {
    keys: "terms's database role",
    deed: 'stop the audit chain of another service',
    test: 'packages/acceptance/e2e/own-stack/terms-role-attacks.e2e.test.ts',
    name: 'stops no audit chain at a failover: rows get their places',
  },
  {
    keys: "terms's database role",
    deed: 'use up all connections of the server',
    test: 'packages/acceptance/e2e/own-stack/terms-role-attacks.e2e.test.ts',
    name: 'gets as many as its limit, and a new copy of intake connects and works',
  },
];

/** Lists the names of `it`, `test` and `describe`, also behind `.each(…)`. */
function namesIn(text: string): string[] {
  const quoted = /(?:\b(?:it|test|describe)\(|\)\()\s*(?<quote>['"])(?<name>(?:(?!\k<quote>).)+)\k<quote>,/g;
  return [...text.matchAll(quoted)].map(({ groups }) => groups?.name ?? '');
}

it('every attack names a test that exists, and no two attacks are the same', async () => {
  const missing: string[] = [];
  for (const { keys, deed, test, name } of attacks) {
    const names = namesIn(await readFile(join(root, test), 'utf8').catch(() => ''));
    if (!names.some((one) => one.includes(name))) missing.push(`${keys}: ${deed}: ${test}: ${name}`);
  }
  expect(missing).toEqual([]);
  expect(new Set(attacks.map(({ keys, deed }) => `${keys}: ${deed}`)).size).toBe(attacks.length);
  expect(attacks.length).toBeGreaterThanOrEqual(12);
});
