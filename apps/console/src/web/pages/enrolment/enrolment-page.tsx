import { useSessionChanged } from '../../client/session.tsx';
import { SignOut } from '../../shell/sign-out.tsx';
import { bilingual, useTexts } from '../../texts/texts.ts';
import { EnrolPasskey } from '../account/enrol-passkey.tsx';
import { EnrolTotp } from '../account/enrol-totp.tsx';
import { Frame } from '../sign-in/frame.tsx';

const texts = bilingual({
  en: {
    title: 'A second factor',
    about: 'Your account needs one before it can do anything else.',
  },
  es: {
    title: 'Un segundo factor',
    about: 'Su cuenta necesita uno antes de poder hacer algo más.',
  },
});

/** For a session that may do nothing but enrol. */
export default function EnrolmentPage() {
  const t = useTexts(texts);
  const changed = useSessionChanged();
  return (
    <Frame title={t.title} about={t.about}>
      <EnrolPasskey onDone={() => void changed()} />
      <EnrolTotp onDone={() => void changed()} />
      <SignOut />
    </Frame>
  );
}
