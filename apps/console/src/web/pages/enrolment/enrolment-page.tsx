import { useState } from 'react';
import { useReloadSession } from '../../client/session.tsx';
import { Button } from '../../parts/button.tsx';
import { SignOut } from '../../shell/sign-out.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { EnrolPasskey } from '../account/enrol-passkey.tsx';
import { EnrolTotp } from '../account/enrol-totp.tsx';
import { Frame } from '../sign-in/frame.tsx';

const texts = createBilingual({
  en: {
    title: 'A second factor',
    about: 'Your account needs one before it can do anything else. Your password is asked for once more.',
    totp: 'Authenticator app',
  },
  es: {
    title: 'Un segundo factor',
    about: 'Su cuenta necesita uno antes de poder hacer algo más. Se le pedirá otra vez su contraseña.',
    totp: 'Aplicación autenticadora',
  },
});

/** Renders the page of a session that may only enrol a second factor. */
export default function EnrolmentPage() {
  const t = useTexts(texts);
  const changed = useReloadSession();
  const [isApp, setApp] = useState(false);
  return (
    <Frame title={t.title} about={t.about}>
      <EnrolPasskey onDone={() => void changed()} />
      {isApp ? (
        <EnrolTotp onDone={() => void changed()} />
      ) : (
        <Button onClick={() => setApp(true)}>{t.totp}</Button>
      )}
      <SignOut />
    </Frame>
  );
}
