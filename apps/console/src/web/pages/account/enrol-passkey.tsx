import { browserSupportsWebAuthn, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { usePasswordProtectedCall } from '../../parts/password-protected-call.tsx';
import { showToast } from '../../parts/toasts.tsx';
import { useFailureText } from '../../texts/failures.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    passkey: 'Add a passkey',
    added: 'The passkey was added',
    failed: 'No passkey was added',
    cancelled: 'The browser made none: it was cancelled, or there is one already.',
  },
  es: {
    passkey: 'Agregar llave de acceso',
    added: 'Se agregó la llave de acceso',
    failed: 'No se agregó ninguna llave',
    cancelled: 'El navegador no creó ninguna: se canceló, o ya existe una.',
  },
});

/** Creates a passkey for this account in the browser. */
export function EnrolPasskey({ onDone }: { onDone(): void }) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const { call, forget, proof } = usePasswordProtectedCall();
  const enrol = useMutation({
    mutationFn: async () => {
      const started = await call('auth.enrolPasskey', {});
      if (!('options' in started)) throw new Error('the enrolment did not begin with options');
      const response = await startRegistration({ optionsJSON: started.options });
      return call('auth.enrolPasskey', { response });
    },
    onSuccess: () => {
      showToast({ title: t.added });
      onDone();
    },
    onError: (error) => {
      forget();
      const isBrowsers = error instanceof WebAuthnError || error instanceof DOMException;
      showToast({ title: t.failed, text: isBrowsers ? t.cancelled : failureText(error), tone: 'bad' });
    },
  });
  if (!browserSupportsWebAuthn()) return null;
  return (
    <>
      <Button onClick={() => enrol.mutate()} aria-disabled={enrol.isPending}>
        {t.passkey}
      </Button>
      {proof}
    </>
  );
}
