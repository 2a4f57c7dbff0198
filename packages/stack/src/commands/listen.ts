import { createRubrica } from '@rubrica/sdk';
import { freePort, MissingPiece } from '@rubrica/testkit/processes';
import { createApplicant } from '../demo/applicant.ts';
import { introduce } from '../listen/introduction.ts';
import { listenHelp } from '../listen/listen-help.ts';
import { type ListenOptions, readListenOptions, secretVariable } from '../listen/listen-options.ts';
import { type Listening, startListening } from '../listen/run-listen.ts';
import { findRunning } from '../stack/find-running.ts';
import type { PartnerInfo, StackInfo } from '../stack/stack-info.ts';
import { UsageError } from '../terminal/arguments.ts';
import { createOutput, type Output } from '../terminal/style.ts';
import { readVerificationKey } from '../webhooks/secrets.ts';
import type { NamedKey } from '../webhooks/verify.ts';
import type { Command, CommandContext } from './command.ts';
import { listenForStop } from './signals.ts';

/** Differs from the stack's own ports and from common ports of local servers. */
const usualPort = 4_000;

export const listen: Command = {
  name: 'listen',
  summary: 'receive webhooks here and show them, verified',
  help: listenHelp,
  async run({ args, env, cwd, output }: CommandContext): Promise<number> {
    const options = readListenOptions(args, { env, cwd });
    const running = await findRunning(env);
    const partner = findPartner(options, running);
    const { keys, strangers } = chooseKeys(options, running);
    const stopping = listenForStop();
    // Readers of --json receive calls only.
    const notes = options.json ? createOutput(process.stderr) : output;
    const listening = await listenAt(options.port, { options, keys, strangers, output, notes });
    introduce(notes, {
      where: { url: listening.url, rubrica: partner && running && { ...partner, baseUrl: running.baseUrl } },
      keys,
      plan: options.plan,
      register: options.register,
    });
    if (options.register) await register({ url: listening.url, partner, running, notes });
    notes.line(`\n  ${notes.dim('Waiting for calls; Ctrl-C ends this.')}`);
    await Promise.race([stopping.first, untilClosed(output)]);
    const summary = await listening.stop();
    notes.line(`\n  ${summary.join('\n  ')}`);
    return 0;
  },
};

/** Resolves when the reader of the output is gone, as after `| head`. */
function untilClosed({ stream }: Output): Promise<void> {
  return new Promise((resolve) => stream.on('error', () => resolve()));
}

function findPartner(
  { partner, keys }: ListenOptions,
  running: StackInfo | undefined,
): PartnerInfo | undefined {
  const partners: Readonly<Record<string, PartnerInfo>> = running?.partners ?? {};
  if (running === undefined && keys.length === 0) {
    throw new UsageError(
      `No stack runs here whose secret could be used: give yours by --secret or ${secretVariable}, or begin with "npm start".`,
    );
  }
  if (running === undefined || Object.hasOwn(partners, partner)) return partners[partner];
  throw new UsageError(`--partner takes one of ${Object.keys(partners).join(', ')}; got "${partner}".`);
}

/**
 * Selects the keys to verify with. Where the stack runs, secrets of other partners are known too, so that a mix-up can
 * be named.
 */
function chooseKeys(
  { keys, partner }: ListenOptions,
  running: StackInfo | undefined,
): { keys: readonly NamedKey[]; strangers: readonly NamedKey[] } {
  const known = Object.entries(running?.partners ?? {}).map(([name, { webhookSecret }]) => ({
    name: `partner ${name}`,
    key: readVerificationKey(webhookSecret),
  }));
  if (keys.length > 0) return { keys, strangers: known };
  const own = (one: NamedKey) => one.name === `partner ${partner}`;
  return { keys: known.filter(own), strangers: known.filter((one) => !own(one)) };
}

async function listenAt(
  port: number | undefined,
  deps: Omit<Parameters<typeof startListening>[0], 'port'>,
): Promise<Listening> {
  try {
    return await startListening({ ...deps, port: port ?? (await freePort(usualPort)) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const reason = code === 'EADDRINUSE' ? `Port ${port} is taken.` : message;
    throw new MissingPiece(reason, 'Another --port will do; without it a free one is found.');
  }
}

async function register(context: {
  url: string;
  partner: PartnerInfo | undefined;
  running: StackInfo | undefined;
  notes: Output;
}): Promise<void> {
  const { url, partner, running, notes } = context;
  if (partner === undefined || running === undefined) {
    throw new MissingPiece('No stack runs here to register a request with.', '"npm start" brings it up.');
  }
  const { clientId, clientSecret } = partner;
  const { linkedPartner } = createRubrica({ baseUrl: running.baseUrl, clientId, clientSecret });
  const applicant = createApplicant(url);
  const { linkedPartnerRequestId, status } = await linkedPartner.register(applicant).catch((error: Error) => {
    throw new MissingPiece('The request could not be registered.', error.message);
  });
  notes.line(`\n  ${notes.good('✔')} Registered ${notes.bold(applicant.referenceTransaction)}: ${status}`);
  notes.line(`    ${notes.dim(linkedPartnerRequestId)}`);
}
