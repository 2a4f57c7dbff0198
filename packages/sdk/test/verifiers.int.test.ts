import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const programs = join(import.meta.dirname, '../programs');
const vectorsFile = join(import.meta.dirname, '../../contracts/data/webhook-vectors.json');

interface Vector {
  readonly name: string;
  readonly verifyWith: readonly string[];
  readonly now: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Each reads calls from lines and says of each whether it takes it. */
const python = `
import base64, sys
from verify_webhook import verify_webhook, WebhookError
for line in sys.stdin.read().splitlines():
    now, secrets, body, *headers = line.split("\\t")
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    try:
        verify_webhook(dict(zip(names, headers)), base64.b64decode(body), secrets.split(" "), int(now))
        print("taken")
    except (WebhookError, ValueError):
        print("refused")
`;

const java = `
import java.time.Instant;
import java.util.*;

class Vectors {
  public static void main(String[] arguments) throws Exception {
    for (var input = new Scanner(System.in); input.hasNextLine(); ) {
      String[] part = input.nextLine().split("\\t", -1);
      Map<String, String> headers = new HashMap<>();
      String[] names = {"webhook-id", "webhook-timestamp", "webhook-signature"};
      for (int at = 0; at < names.length; at++) headers.put(names[at], part[at + 3]);
      try {
        byte[] body = Base64.getDecoder().decode(part[2]);
        Instant now = Instant.ofEpochSecond(Long.parseLong(part[0]));
        VerifyWebhook.verify(headers, body, List.of(part[1].split(" ")), now);
        System.out.println("taken");
      } catch (SecurityException refused) {
        System.out.println("refused");
      }
    }
  }
}
`;

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'verifiers-'));
});
afterAll(() => rm(home, { recursive: true }));

const verifiers = [
  {
    language: 'Python',
    lacks: { program: 'python3', debianPackage: 'python3' },
    prepare: async () => {},
    command: ['python3', '-B', '-c', python],
  },
  {
    language: 'Java',
    lacks: { program: 'javac', debianPackage: 'default-jdk-headless' },
    prepare: async () => {
      await writeFile(join(home, 'Vectors.java'), java);
      const sources = [join(programs, 'java/VerifyWebhook.java'), join(home, 'Vectors.java')];
      await run('javac', ['-encoding', 'UTF-8', '-d', home, ...sources]);
    },
    command: ['java', '-cp', '.', 'Vectors'],
  },
];

/** The calls whose receiver has shared secrets: public keys are for other programs. */
function linesOf(vectors: readonly Vector[]): string[] {
  return vectors
    .filter(({ verifyWith }) => verifyWith.every((secret) => secret.startsWith('whsec_')))
    .map(({ now, verifyWith, headers, body }) =>
      [
        now,
        verifyWith.join(' '),
        Buffer.from(body).toString('base64'),
        headers['webhook-id'] ?? '',
        headers['webhook-timestamp'] ?? '',
        headers['webhook-signature'] ?? '',
      ].join('\t'),
    );
}

test.for(verifiers)(
  'the verifier in $language takes and refuses what it should',
  async (verifier, { skip }) => {
    const { program, debianPackage } = verifier.lacks;
    const there = await run('which', [program]).catch(() => undefined);
    skip(there === undefined, `${program} is not installed (Debian package ${debianPackage})`);
    await verifier.prepare();
    const { valid, invalid } = JSON.parse(await readFile(vectorsFile, 'utf8'));
    const [taken, refused] = [linesOf(valid), linesOf(invalid)];
    expect(Math.min(taken.length, refused.length)).toBeGreaterThan(5);
    const [command = '', ...args] = verifier.command;
    const running = run(command, args, {
      cwd: home,
      env: { ...process.env, PYTHONPATH: join(programs, 'python') },
    });
    running.child.stdin?.end([...taken, ...refused].join('\n'));
    const { stdout } = await running;
    expect(stdout.trim().split('\n')).toEqual([...taken.map(() => 'taken'), ...refused.map(() => 'refused')]);
  },
);
