import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { call, Failure, type InputOf, type OperatorOutput, type OperatorPath } from '../client/trpc.ts';
import { useFailureText } from '../texts/failures.ts';
import { bilingual, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Dialog, DialogButtons } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Notice } from './states.tsx';

const texts = bilingual({
  en: {
    title: 'Is it you?',
    text: 'You signed in more than ten minutes ago. Type your present password, or sign out and sign in again.',
    password: 'Present password',
    cancel: 'Cancel',
    go: 'Go on',
  },
  es: {
    title: '¿Es usted?',
    text: 'Usted ingresó hace más de diez minutos. Escriba su contraseña actual, o salga e ingrese de nuevo.',
    password: 'Contraseña actual',
    cancel: 'Cancelar',
    go: 'Continuar',
  },
});

interface Asked {
  /** Makes the call again. @throws Failure */
  repeat(currentPassword: string): Promise<void>;
  cancel(): void;
}

/** A call that asks for the present password where the sign-in was too long ago for it. */
export type ProvenCall = <P extends OperatorPath>(path: P, input: InputOf<P>) => Promise<OperatorOutput<P>>;

/** @returns the call, and the dialog that it asks in: shown outside of any form */
export function useProvenCall(): { readonly call: ProvenCall; readonly proof: ReactNode } {
  const [asked, setAsked] = useState<Asked>();
  // For the second step of an enrolment, and for no third call.
  const given = useRef<string | undefined>(undefined);
  const proven: ProvenCall = async (path, input) => {
    const withPassword = (currentPassword: string) =>
      call(path, { ...(input as object), currentPassword } as typeof input);
    try {
      return await call(path, input);
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'FRESH_PROOF_NEEDED')) throw error;
      const known = given.current;
      given.current = undefined;
      if (known !== undefined) return withPassword(known);
      return new Promise((resolve, reject) => {
        setAsked({
          async repeat(password) {
            const output = await withPassword(password);
            given.current = password;
            setAsked(undefined);
            resolve(output);
          },
          cancel() {
            setAsked(undefined);
            reject(error);
          },
        });
      });
    }
  };
  return { call: proven, proof: asked && <ProofDialog asked={asked} /> };
}

function ProofDialog({ asked }: { readonly asked: Asked }) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const repeat = useMutation({ mutationFn: asked.repeat });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    repeat.mutate(String(new FormData(event.currentTarget).get('password')));
  };
  return (
    <Dialog title={t.title} text={t.text} open onOpenChange={asked.cancel}>
      <form className={styles.form} onSubmit={onSubmit}>
        <TextField
          label={t.password}
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={200}
          required
        />
        {repeat.isError && <Notice tone="bad">{failureText(repeat.error)}</Notice>}
        <DialogButtons>
          <Button onClick={asked.cancel}>{t.cancel}</Button>
          <Button type="submit" tone="primary" aria-disabled={repeat.isPending}>
            {t.go}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
