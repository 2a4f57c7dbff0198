import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import {
  callProcedure,
  Failure,
  type OperatorOutput,
  type OperatorPath,
  type ProcedureInput,
} from '../client/trpc.ts';
import { useFailureText } from '../texts/failures.ts';
import { createBilingual, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Dialog, DialogButtons } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Notice } from './query-result.tsx';

const texts = createBilingual({
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

interface PasswordRequest {
  /**
   * Repeats the call.
   * @throws Failure
   */
  repeat(currentPassword: string): Promise<void>;
  cancel(): void;
}

/** Call that asks for the current password if required. */
export type PasswordProtectedCall = <P extends OperatorPath>(
  path: P,
  input: ProcedureInput<P>,
) => Promise<OperatorOutput<P>>;

/**
 * Returns the call and its password dialog.
 * @returns `proof` is rendered outside any form; `forget` drops the password if the second step is not made
 */
export function usePasswordProtectedCall(): {
  readonly call: PasswordProtectedCall;
  readonly proof: ReactNode;
  forget(): void;
} {
  const [passwordRequest, setPasswordRequest] = useState<PasswordRequest>();
  // Kept for the second step of an enrolment, which may fail because of a mistyped code; dropped afterwards.
  const provenPassword = useRef<string | undefined>(undefined);
  const forget = () => {
    provenPassword.current = undefined;
  };
  const provenCall: PasswordProtectedCall = async (path, input) => {
    const withPassword = (currentPassword: string) =>
      callProcedure(path, { ...(input as object), currentPassword } as typeof input);
    if (provenPassword.current !== undefined) {
      const output = await withPassword(provenPassword.current);
      forget();
      return output;
    }
    try {
      return await callProcedure(path, input);
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'FRESH_PROOF_NEEDED')) throw error;
      return new Promise((resolve, reject) => {
        setPasswordRequest({
          async repeat(password) {
            const output = await withPassword(password);
            provenPassword.current = password;
            setPasswordRequest(undefined);
            resolve(output);
          },
          cancel() {
            setPasswordRequest(undefined);
            reject(error);
          },
        });
      });
    }
  };
  return {
    call: provenCall,
    forget,
    proof: passwordRequest && <ProofDialog passwordRequest={passwordRequest} />,
  };
}

function ProofDialog({ passwordRequest }: { readonly passwordRequest: PasswordRequest }) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const repeat = useMutation({ mutationFn: passwordRequest.repeat });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    repeat.mutate(String(new FormData(event.currentTarget).get('password')));
  };
  return (
    <Dialog title={t.title} text={t.text} open onOpenChange={passwordRequest.cancel}>
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
          <Button onClick={passwordRequest.cancel}>{t.cancel}</Button>
          <Button type="submit" tone="primary" aria-disabled={repeat.isPending}>
            {t.go}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
