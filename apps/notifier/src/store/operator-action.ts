import { runnerOf, type SqlTarget } from '@rubrica/database';

export type OperatorAction = {
  operatorId: string;
  action: 'deliveries.resend' | 'messages.resend';
  subjectId: string;
  reason: string | undefined;
};

/** Belongs to the transaction of the change, so that neither exists without the other. */
export async function recordOperatorAction(em: SqlTarget, action: OperatorAction): Promise<void> {
  await runnerOf(em).execute(
    'insert into operator_action (operator_id, action, subject_id, reason) values ($1, $2, $3, $4)',
    [action.operatorId, action.action, action.subjectId, action.reason ?? null],
  );
}
