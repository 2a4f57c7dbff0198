import type { StackInfo } from '@rubrica/stack';
import { byTwoAdministrators } from './operator-actor.ts';
import { until } from './poll.ts';

/**
 * Creates a test's own administrator, who was invited and has chosen a password.
 * @returns the stack with the new one as `admin`
 */
export async function invitedAdministrator(info: StackInfo): Promise<StackInfo> {
  const email = `adm.${crypto.randomUUID().slice(0, 8)}@firmas.example`;
  const password = 'un sauce llora en la quebrada 7';
  await byTwoAdministrators(info, 'operators.invite', { email, role: 'admin', language: 'es' });
  const token = await until('the invitation', async () => {
    const mails = await fetch(`${info.mailUrl}/messages?${new URLSearchParams({ to: email })}`);
    const [mail] = (await mails.json()) as { text: string }[];
    return /\/invitation#(\S+)/.exec(mail?.text ?? '')?.[1];
  });
  const accepted = await fetch(`${info.trpcUrl}/auth.acceptInvitation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, password }),
  });
  if (!accepted.ok) throw new Error(`the invitation was answered ${accepted.status}`);
  return { ...info, operators: { ...info.operators, admin: { email, password } } };
}
