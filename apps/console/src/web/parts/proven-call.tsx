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
    text: 'This changes what you sign in with. Type your present password. If you sign in with the account of your organisation, sign out and sign in again.',
    password: 'Present password',
    cancel: 'Cancel',
    go: 'Go on',
  },
  es: {
    title: '¿Es usted?',
    text: 'Esto cambia con qué ingresa usted. Escriba su contraseña actual. Si ingresa con la cuenta de su organización, salga e ingrese de nuevo.',
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

/** A call that asks for the present password where it is needed. */
export type ProvenCall = <P extends OperatorPath>(path: P, input: InputOf<P>) => Promise<OperatorOutput<P>>;

/**
 * @returns the call, and the dialog that it asks in: shown outside of any form. `forget` the password where the second
 * step is not made
 */
export function useProvenCall(): {
  readonly call: ProvenCall;
  readonly proof: ReactNode;
  forget(): void;
} {
  const [asked, setAsked] = useState<Asked>();
  // For the second step of an enrolment, which may fail for a mistyped code; for nothing after it.
  const given = useRef<string | undefined>(undefined);
  const forget = () => {
    given.current = undefined;
  };
  const proven: ProvenCall = async (path, input) => {
    const withPassword = (currentPassword: string) =>
      call(path, { ...(input as object), currentPassword } as typeof input);
    if (given.current !== undefined) {
      const output = await withPassword(given.current);
      forget();
      return output;
    }
    try {
      return await call(path, input);
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'FRESH_PROOF_NEEDED')) throw error;
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
  return { call: proven, forget, proof: asked && <ProofDialog asked={asked} /> };
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
