import { createApplicant } from '../demo/applicant.ts';
import type { Output } from '../terminal/style.ts';
import { describeAnswer } from '../webhooks/answers.ts';
import type { NamedKey } from '../webhooks/verify.ts';
import type { AnswerPlan } from './answer-plan.ts';

export interface Where {
  readonly url: string;
  /** Undefined where no stack runs. */
  readonly rubrica: { baseUrl: string; clientId: string; clientSecret: string } | undefined;
}

/** Prints the text before the first call: the address, and an example request that causes a call. */
export function introduce(
  output: Output,
  {
    where,
    keys,
    plan,
    register,
  }: { where: Where; keys: readonly NamedKey[]; plan: AnswerPlan; register: boolean },
): void {
  const names = keys.map(({ name }) => name).join(', ');
  output.line(`\n  ${output.bold('Listening')} at ${output.accent(where.url)}`);
  output.line(`  Give this address as "callbackUrl". Verified with the secret of ${names}.`);
  const answers = plan.steps.map(describeAnswer).join(', then ');
  if (answers !== '204') output.line(`  Answers each event with: ${answers}.`);
  if (register) return;
  output.line(`\n  Register a request that calls it${where.rubrica ? ' (--register does the same)' : ''}:\n`);
  for (const line of exampleCall(where)) output.line(`    ${output.dim(line)}`);
  if (where.rubrica !== undefined) return;
  output.line('\n  A deployed Rubrica calls public https addresses: put a tunnel to this one before it.');
}

/** Composes two shell commands; they can be run again, each time for a new request. */
function exampleCall({ url, rubrica }: Where): string[] {
  const baseUrl = rubrica?.baseUrl ?? '$BASE_URL';
  const user =
    rubrica === undefined ? '"$CLIENT_ID:$CLIENT_SECRET"' : `'${rubrica.clientId}:${rubrica.clientSecret}'`;
  const applicant = createApplicant(url);
  const fields = JSON.stringify(applicant, null, 1).replace(/\n\s*/g, ' ');
  const json = fields.replace(applicant.referenceTransaction, `CURL-'$(date +%s)'`);
  return [
    `TOKEN=$(curl -sS -u ${user} -d grant_type=client_credentials ${baseUrl}/oauth/token |`,
    `  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  ${baseUrl}/collector/linked-partner/request -d '${wrapFields(json)}'`,
  ].flatMap((line) => line.split('\n'));
}

/** Wraps the JSON between fields, where a line break changes nothing. */
function wrapFields(json: string): string {
  return json.replace(/(.{60,90}?,) /g, '$1\n  ');
}
