import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import {
  type PasswordProtectedCall,
  usePasswordProtectedCall,
} from '../../parts/password-protected-call.tsx';
import { Notice, QueryResult } from '../../parts/query-result.tsx';
import { useFailureText } from '../../texts/failures.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './account.module.css';
import { QrCode } from './qr-code.tsx';

const texts = createBilingual({
  en: {
    scan: 'Scan this with an authenticator app, or type the secret into it.',
    qr: 'QR code of the secret',
    code: 'The code that the app shows now',
    confirm: 'Confirm',
    codes: 'Recovery codes',
    codesText:
      'Each of these signs you in once in place of a code. They are shown now and never again: keep them where your telephone is not.',
    kept: 'I have kept them',
  },
  es: {
    scan: 'Escanee esto con una aplicación autenticadora, o escriba en ella el secreto.',
    qr: 'Código QR del secreto',
    code: 'El código que muestra la aplicación',
    confirm: 'Confirmar',
    codes: 'Códigos de recuperación',
    codesText:
      'Cada uno permite ingresar una vez en lugar de un código. Se muestran ahora y nunca más: guárdelos donde no esté su teléfono.',
    kept: 'Los he guardado',
  },
});

/** Enrols an authenticator app: secret, first code as proof, and recovery codes. */
export function EnrolTotp({ onDone }: { onDone(): void }) {
  const t = useTexts(texts);
  const { call, proof } = usePasswordProtectedCall();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const secret = useQuery({
    queryKey: ['auth.enrolTotp', 'secret'],
    queryFn: async () => {
      const started = await call('auth.enrolTotp', {});
      if (!('secret' in started)) throw new Error('the enrolment did not begin with a secret');
      return started;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (recoveryCodes !== undefined) {
    return (
      <div className={styles.steps}>
        <h2>{t.codes}</h2>
        <p>{t.codesText}</p>
        <ul className={styles.codes}>
          {recoveryCodes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Button tone="primary" onClick={onDone}>
          {t.kept}
        </Button>
      </div>
    );
  }
  return (
    <>
      <QueryResult query={secret}>
        {({ secret: typed, otpauthUri }) => (
          <div className={styles.steps}>
            <p>{t.scan}</p>
            <QrCode text={otpauthUri} label={t.qr} />
            <code className={styles.secret}>{typed}</code>
            <Confirmation call={call} onConfirmed={setRecoveryCodes} />
          </div>
        )}
      </QueryResult>
      {proof}
    </>
  );
}

interface ConfirmationProps {
  readonly call: PasswordProtectedCall;
  onConfirmed(recoveryCodes: readonly string[]): void;
}

function Confirmation({ call, onConfirmed }: ConfirmationProps) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const confirm = useMutation({
    mutationFn: (code: string) => call('auth.enrolTotp', { code }),
    onSuccess: (output) => {
      if ('recoveryCodes' in output) onConfirmed(output.recoveryCodes);
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    confirm.mutate(String(new FormData(event.currentTarget).get('code')));
  };
  return (
    <form className={styles.steps} onSubmit={onSubmit}>
      <TextField
        label={t.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={40}
        required
      />
      {confirm.isError && <Notice tone="bad">{failureText(confirm.error)}</Notice>}
      <Button type="submit" tone="primary" aria-disabled={confirm.isPending}>
        {t.confirm}
      </Button>
    </form>
  );
}
