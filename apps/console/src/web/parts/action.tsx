import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { usePermission } from '../client/session.tsx';
import type { OperatorOutput, OperatorPath, ProcedureInput } from '../client/trpc.ts';
import { useFailureText } from '../texts/failures.ts';
import { createBilingual, useTexts } from '../texts/texts.ts';
import { Button, type ButtonProps } from './button.tsx';
import styles from './dialog.module.css';
import { Dialog, DialogButtons } from './dialog.tsx';
import { TextArea } from './field.tsx';
import { useKeys } from './keys.tsx';
import { usePasswordProtectedCall } from './password-protected-call.tsx';
import { Notice } from './query-result.tsx';
import { showToast } from './toasts.tsx';

const texts = createBilingual({
  en: {
    reason: 'Reason',
    reasonHint: 'Kept in the audit log. No personal data.',
    cancel: 'Cancel',
    working: 'Working…',
    undo: 'Undo',
    undone: 'Undone: it is as it was before',
    waits: 'Waits for a second administrator',
    waitsText: 'Nothing has changed yet. Another administrator decides under Approvals.',
  },
  es: {
    reason: 'Motivo',
    reasonHint: 'Queda en el registro de auditoría. Sin datos personales.',
    cancel: 'Cancelar',
    working: 'Un momento…',
    undo: 'Deshacer',
    undone: 'Deshecho: está como antes',
    waits: 'Espera a un segundo administrador',
    waitsText: 'Todavía no cambió nada. Otro administrador decide en Aprobaciones.',
  },
});

export interface ActionProps<P extends OperatorPath> {
  /** Procedure to call. A role that may not call it does not see the button. */
  readonly procedure: P;
  readonly label: string;
  /** Reason why the action is unavailable; the button stays visible and shows it. */
  readonly unavailable?: string | undefined;
  readonly tone?: ButtonProps['tone'];
  readonly small?: boolean;
  /** Key sequence that opens the dialog from anywhere on the page. */
  readonly keys?: string;
  /** Consequences, shown before the confirmation. */
  readonly text?: ReactNode;
  readonly confirm?: string;
  /** Field for a reason; `required` does not accept an empty one. */
  readonly reason?: 'optional' | 'required' | 'none';
  /** Fields of the dialog; their names are the keys of the form. */
  readonly children?: ReactNode;
  toInput(form: FormData): ProcedureInput<P> | Promise<ProcedureInput<P>>;
  /** Returns the text of the toast. */
  done(output: OperatorOutput<P>): string;
  /** Returns the undo for the toast, where one call of this operator is enough. */
  undo?(input: ProcedureInput<P>): (() => Promise<unknown>) | undefined;
  /** Runs after the call. The returned content stays open in the dialog, such as a secret that is shown once. */
  onDone?(output: OperatorOutput<P>): ReactNode;
}

/**
 * Renders a button with its dialog, its call and its toast. The page does not change before the server has answered.
 */
export function Action<P extends OperatorPath>(props: ActionProps<P>) {
  const { procedure, label, unavailable, tone = 'plain', small = false, keys } = props;
  const [isOpen, setOpen] = useState(false);
  const reasonId = useId();
  const isAllowed = usePermission()(procedure);
  const open = () => setOpen(true);
  useKeys(keys === undefined || unavailable !== undefined || !isAllowed ? [] : [{ keys, label, run: open }]);
  if (!isAllowed) return null;
  return (
    <>
      <Button
        tone={tone}
        small={small}
        aria-disabled={unavailable !== undefined}
        aria-describedby={unavailable === undefined ? undefined : reasonId}
        aria-keyshortcuts={keys}
        title={unavailable ?? keys}
        onClick={open}
      >
        {label}
      </Button>
      {unavailable !== undefined && (
        <span id={reasonId} className="visually-hidden">
          {unavailable}
        </span>
      )}
      {isOpen && <ActionDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function ActionDialog<P extends OperatorPath>(props: ActionProps<P> & { onClose(): void }) {
  const { procedure, label, text, confirm = label, tone, reason = 'optional', children, onClose } = props;
  const t = useTexts(texts);
  const failureText = useFailureText();
  const queries = useQueryClient();
  const { call, proof } = usePasswordProtectedCall();
  const [result, setResult] = useState<ReactNode>();
  const mutation = useMutation({
    mutationFn: async (form: FormData) => {
      const enteredReason = String(form.get('reason') ?? '').trim();
      const inputWithReason = {
        ...(await props.toInput(form)),
        ...(enteredReason === '' ? {} : { reason: enteredReason }),
      };
      const input = inputWithReason as ProcedureInput<P>;
      return { input, output: await call(procedure, input) };
    },
    onSuccess: ({ input, output }) => {
      void queries.invalidateQueries();
      if (needsApproval(output)) showToast({ title: t.waits, text: t.waitsText, tone: 'warn' });
      else notifyDone(output, props.undo?.(input));
      const content = props.onDone?.(output);
      if (content === undefined || content === null) onClose();
      else setResult(content);
    },
  });
  const notifyDone = (output: OperatorOutput<P>, undo: (() => Promise<unknown>) | undefined) =>
    showToast({ title: props.done(output), ...(undo && { undo: createUndo(undo) }) });
  const createUndo = (undo: () => Promise<unknown>) => ({
    label: t.undo,
    run: async () => {
      try {
        await undo();
        showToast({ title: t.undone });
      } catch (error) {
        showToast({ title: failureText(error), tone: 'bad' });
      }
      await queries.invalidateQueries();
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutation.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={label} text={result === undefined ? text : undefined} open onOpenChange={onClose}>
      {result ?? (
        <form className={styles.form} onSubmit={onSubmit}>
          {children}
          {reason !== 'none' && (
            <TextArea
              label={t.reason}
              hint={t.reasonHint}
              name="reason"
              maxLength={500}
              required={reason === 'required'}
            />
          )}
          {mutation.isError && <Notice tone="bad">{failureText(mutation.error)}</Notice>}
          <DialogButtons>
            <Button onClick={onClose}>{t.cancel}</Button>
            <Button
              type="submit"
              tone={tone === 'danger' ? 'danger' : 'primary'}
              aria-disabled={mutation.isPending}
            >
              {mutation.isPending ? t.working : confirm}
            </Button>
          </DialogButtons>
        </form>
      )}
      {proof}
    </Dialog>
  );
}

/** Returns whether a change needs a second administrator: the answer then has the id of its approval. */
function needsApproval(output: unknown): boolean {
  return (
    typeof output === 'object' && output !== null && 'approvalId' in output && Boolean(output.approvalId)
  );
}
