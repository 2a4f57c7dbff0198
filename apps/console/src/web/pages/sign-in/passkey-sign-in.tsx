import { browserSupportsWebAuthn, startAuthentication, WebAuthnError } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../client/trpc.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/states.tsx';
import { useFailureText } from '../../texts/failures.ts';
import { bilingual, useTexts } from '../../texts/texts.ts';

const texts = bilingual({
  en: {
    passkey: 'With a passkey',
    cancelled: 'The browser gave no passkey. Try again, or use the password.',
  },
  es: {
    passkey: 'Con una llave de acceso',
    cancelled: 'El navegador no dio ninguna llave. Intente de nuevo o use la contraseña.',
  },
});

/** Asks the browser for any passkey that it has for this origin: it says whose it is. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await call('auth.passkeyOptions', {});
      const response = await startAuthentication({ optionsJSON: options });
      return call('auth.passkeySignIn', { response });
    },
    onSuccess: onSignedIn,
  });
  if (!browserSupportsWebAuthn()) return null;
  return (
    <>
      {signIn.isError && (
        <Notice tone="bad">
          {signIn.error instanceof WebAuthnError || signIn.error instanceof DOMException
            ? t.cancelled
            : failureText(signIn.error)}
        </Notice>
      )}
      <Button onClick={() => signIn.mutate()} aria-disabled={signIn.isPending}>
        {t.passkey}
      </Button>
    </>
  );
}
