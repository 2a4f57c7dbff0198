import { createHash } from 'node:crypto';
import type { RunningIntake } from './running-intake.ts';

/** The newest e-mail to an operator, opened as the notifier would. Undefined secret: it is overtaken. */
export async function newestLetter(intake: RunningIntake, recipient: string) {
  const [row] = await intake.query<{ id: string }>(
    'select id from intake.operator_letter where recipient = $1 order by created_at desc, id desc limit 1',
    [recipient],
  );
  return letterOf(intake, row?.id ?? '');
}

export async function letterOf(intake: RunningIntake, messageId: string) {
  const notifier = await intake.peer('notifier');
  const message = await notifier.messages.get.query({ messageId });
  const { keyring } = await intake.ground.peer('notifier');
  const binding = { purpose: 'operator-link', owner: messageId } as const;
  const { sealedSecret } = message;
  return {
    message,
    token: sealedSecret === null ? undefined : await keyring.openText(sealedSecret, binding),
  };
}

interface Accepted {
  readonly password?: string | undefined;
  readonly address?: string;
}

/** As the gateway hands on what stands behind a link. */
export async function linkCalls(intake: RunningIntake, token: string) {
  const { keyring } = await intake.ground.peer('gateway');
  const gateway = intake.client({ kind: 'service', name: 'gateway' });
  const owner = createHash('sha256').update(token).digest('hex');
  const sealedToken = await keyring.sealTo('intake', token, {
    purpose: 'entered-invitation',
    owner: 'gateway',
  });
  return {
    read: (address = '203.0.113.1') => gateway.invitations.read.mutate({ sealedToken, address }),
    async accept({ password, address = '203.0.113.1' }: Accepted) {
      const sealedPassword =
        password && (await keyring.sealTo('intake', password, { purpose: 'chosen-password', owner }));
      return gateway.invitations.accept.mutate({ sealedToken, sealedPassword, address });
    },
  };
}

/** @returns the role that the password opens a session of */
export async function signIn(intake: RunningIntake, email: string, password: string): Promise<string> {
  const { keyring } = await intake.ground.peer('gateway');
  const binding = { purpose: 'operator-password', owner: email } as const;
  const sealedPassword = await keyring.sealTo('intake', password, binding);
  const gateway = intake.client({ kind: 'service', name: 'gateway' });
  const answer = await gateway.tokens.signIn.mutate({ email, sealedPassword, address: '203.0.113.1' });
  return (answer as { role: string }).role;
}
