import { send } from './api.ts';
import { copyText, curlOf, typescriptOf } from './copy.ts';
import { openRecord } from './open-record.ts';
import { Button, Card, Json, Text } from './parts.tsx';
import { headersOf, textAt } from './read.ts';

/** The text that stands for a secret. */
const MASK = '••••••';

/** What can be done with a request: copy it, or send it again. */
export function RequestActions({ request }: { request: unknown }) {
  const copy = (what: string, text: string) => async () => {
    await copyText(text);
    return `Copied ${what}${text.includes(MASK) ? `; replace ${MASK} by the secret` : ''}`;
  };
  const again = async () => {
    const sent = await send('POST', `/requests/${textAt(request, 'id')}/send`);
    openRecord('requests', textAt(sent, 'request.id'));
    return `Sent again: ${textAt(sent, 'request.status') || 'no response'}`;
  };
  return (
    <>
      {textAt(request, 'path').startsWith('/_emulator') ? null : (
        <Button kind="main" command={again}>
          Send again
        </Button>
      )}
      <Button command={copy('the curl command', curlOf(request))}>Copy as curl</Button>
      <Button command={copy('the TypeScript', typescriptOf(request))}>Copy as TypeScript</Button>
    </>
  );
}

/** What was sent, and beside it what came back, if anything did. */
export function Messages({ request }: { request: unknown }) {
  const isLost = textAt(request, 'status') === '';
  return (
    <div class={isLost ? 'messages lone' : 'messages'}>
      <Message
        title="Sent"
        note={isLost ? 'no response left the emulator' : undefined}
        headers={headersOf(request, 'headers')}
        body={textAt(request, 'body')}
      />
      {isLost ? null : (
        <Message
          title="Received"
          headers={headersOf(request, 'responseHeaders')}
          body={textAt(request, 'responseBody')}
        />
      )}
    </div>
  );
}

interface MessageProps {
  title: string;
  note?: string | undefined;
  headers: [string, string][];
  body: string;
}

function Message({ title, note, headers, body }: MessageProps) {
  return (
    <Card id={title.toLowerCase()} title={title} note={note}>
      <div class="message">
        {body === '' ? <p class="none">no body</p> : <Json value={body} />}
        <HeaderRows headers={headers} />
      </div>
    </Card>
  );
}

export function HeaderRows({ headers }: { headers: [string, string][] }) {
  return (
    <dl class="fields">
      {headers.map(([name, value], place) => (
        <div key={place}>
          <dt>
            <Text>{name}</Text>
          </dt>
          <dd>
            <Text>{value}</Text>
          </dd>
        </div>
      ))}
    </dl>
  );
}
