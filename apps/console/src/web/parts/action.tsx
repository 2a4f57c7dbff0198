import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useMay } from '../client/session.tsx';
import type { InputOf, OperatorOutput, OperatorPath } from '../client/trpc.ts';
import { useFailureText } from '../texts/failures.ts';
import { bilingual, useTexts } from '../texts/texts.ts';
import { Button, type ButtonProps } from './button.tsx';
import styles from './dialog.module.css';
import { Dialog, DialogButtons } from './dialog.tsx';
import { TextArea } from './field.tsx';
import { useKeys } from './keys.tsx';
import { useProvenCall } from './proven-call.tsx';
import { Notice } from './states.tsx';
import { tell } from './toasts.tsx';

const texts = bilingual({
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
  /** The procedure that it calls. Whose role may not call it does not see the button. */
  readonly procedure: P;
  readonly label: string;
  /** Why it cannot be done now; the button stays, and says so. */
  readonly unavailable?: string | undefined;
  readonly tone?: ButtonProps['tone'];
  readonly small?: boolean;
  /** Pressed anywhere on the page, it opens the dialog. */
  readonly keys?: string;
  /** What will happen, before it is confirmed. */
  readonly text?: ReactNode;
  readonly confirm?: string;
  /** Whether a reason is asked for; `required` takes none without. */
  readonly reason?: 'optional' | 'required' | 'none';
  /** Fields of the dialog; their names are the keys of the form. */
  readonly children?: ReactNode;
  toInput(form: FormData): InputOf<P> | Promise<InputOf<P>>;
  /** What happened, for the toast. */
  done(output: OperatorOutput<P>): string;
  /** Takes back what was done, from its toast; only where one call of this operator does so. */
  undo?(input: InputOf<P>): (() => Promise<unknown>) | undefined;
  /** After it was done. What it gives back stays open in the dialog, such as a secret that is shown once. */
  onDone?(output: OperatorOutput<P>): ReactNode;
}

/** A button, its dialog, the call, and what is told of it. Nothing changes on the page before the server has answered. */
export function Action<P extends OperatorPath>(props: ActionProps<P>) {
  const { procedure, label, unavailable, tone = 'plain', small = false, keys } = props;
  const [isOpen, setOpen] = useState(false);
  const reasonId = useId();
  const isAllowed = useMay()(procedure);
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
  const { call, proof } = useProvenCall();
  const [shown, setShown] = useState<ReactNode>();
  const mutation = useMutation({
    mutationFn: async (form: FormData) => {
      const given = String(form.get('reason') ?? '').trim();
      const asked = { ...(await props.toInput(form)), ...(given === '' ? {} : { reason: given }) };
      const input = asked as InputOf<P>;
      return { input, output: await call(procedure, input) };
    },
    onSuccess: ({ input, output }) => {
      void queries.invalidateQueries();
      if (waits(output)) tell({ title: t.waits, text: t.waitsText, tone: 'warn' });
      else tellDone(output, props.undo?.(input));
      const more = props.onDone?.(output);
      if (more === undefined || more === null) onClose();
      else setShown(more);
    },
  });
  const tellDone = (output: OperatorOutput<P>, undo: (() => Promise<unknown>) | undefined) =>
    tell({ title: props.done(output), ...(undo && { undo: undoWith(undo) }) });
  const undoWith = (undo: () => Promise<unknown>) => ({
    label: t.undo,
    run: async () => {
      try {
        await undo();
        tell({ title: t.undone });
      } catch (error) {
        tell({ title: failureText(error), tone: 'bad' });
      }
      await queries.invalidateQueries();
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutation.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={label} text={shown === undefined ? text : undefined} open onOpenChange={onClose}>
      {shown ?? (
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

/** A change that takes a second administrator answers with the id of its approval. */
function waits(output: unknown): boolean {
  return (
    typeof output === 'object' && output !== null && 'approvalId' in output && Boolean(output.approvalId)
  );
}
