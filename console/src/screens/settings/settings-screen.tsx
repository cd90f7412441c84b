/** The settings of the business. Without a business: the form that creates it. */
import { Alert, Paper } from '@mantine/core';
import { FlaskConical } from 'lucide-react';
import { type Business, useBusiness } from '../../app/business.tsx';
import { mode } from '../../app/mode.ts';
import { FactList } from '../../components/fact-list.tsx';
import { NoBusiness } from '../../components/no-business.tsx';
import { Page } from '../../components/page.tsx';
import { sendsMail } from '../../session/config.ts';
import { strings } from '../../strings/strings.ts';
import { BeginForm } from './begin-form.tsx';
import { HoursForm } from './hours-form.tsx';
import { NoticesForm } from './notices-form.tsx';
import { PlaceForm } from './place-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { RulesForm } from './rules-form.tsx';

const texts = strings.settings;

export function SettingsScreen() {
  const business = useBusiness();
  return (
    <Page title={strings.screens.settings} description={texts.intro}>
      {business ? <Settings business={business} /> : mode === 'live' ? <BeginForm /> : <NoBusiness />}
    </Page>
  );
}

function Settings({ business }: { readonly business: Business }) {
  return (
    <>
      {mode === 'test' && (
        <Alert color="yellow" icon={<FlaskConical />}>
          {texts.sandbox}
        </Alert>
      )}
      <ProfileForm business={business} />
      <HoursForm business={business} />
      <RulesForm business={business} />
      <PlaceForm business={business} />
      {sendsMail() && <NoticesForm business={business} />}
      <Paper component="section" aria-label={texts.fixed}>
        <FactList
          facts={[
            [texts.id, business.id],
            [texts.mode, texts.modes[business.mode]],
          ]}
        />
      </Paper>
    </>
  );
}
