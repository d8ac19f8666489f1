/** What of the conformance suite does not apply to this server, or only with tools of the suite's own, and why. */

/** Scenarios that call tools, prompts or resources which only the program with fixtures has. */
export const withFixturesOnly = [
  /^tools-call-/,
  /^prompts-get-/,
  /^resources-(read-|templates-read)/,
  /^input-required-result-(?!unsupported-methods)/,
];

/** Scenarios for what this server does not do, with or without fixtures. */
export const elsewhere = [
  [/^tools-call-(image|audio|mixed-content|embedded-resource)$/, 'tools answer with text and structured content'],
  [/^(tools-call|input-required-result-basic)-sampling$/, 'nothing here uses the model of the client'],
  [/^input-required-result-basic-list-roots$/, 'nothing here reads the folders of the client'],
  [
    /^input-required-result-multiple-input-requests$/,
    'a question is asked alone, never with a request for sampling or roots',
  ],
  [
    /^input-required-result-capability-check$/,
    'wants a request for sampling of a client that has no elicitation; such a client gets no question here, and no other request',
  ],
  [/^input-required-result-non-tool-request$/, 'prompts ask nothing: only writes do'],
  [/^elicitation-sep(1034-defaults|1330-enums)$/, 'a form has one field with yes and no, and no default'],
  [
    /^json-schema-2020-12$/,
    'argument schemas are kept to the keywords that all hosts take: no $schema, $defs or conditions',
  ],
  [/^resources-read-binary$/, 'resources are text'],
  [/^prompts-get-(embedded-resource|with-image)$/, 'prompts are text'],
  [/^resources-(un)?subscribe$/, 'resource subscriptions are optional and not offered: records change without notice'],
  [/^(logging-set-level|tools-call-with-logging)$/, 'protocol logging is optional and not offered: logs go to stderr'],
  [/^http-custom-header-server-validation$/, 'needs a tool with x-mcp-header arguments, of which there are none'],
  [/^server-sse-polling$/, 'a stream is not ended before its answer, so that there is nothing to resume'],
  [/^tasks-/, 'the tasks extension is optional and not offered'],
];

/** Single checks, by their ids, that fail for a reason. */
export const elsewhereInPart = [
  [
    /^sep-2575-(server-rejects-undeclared-capability|missing-capability-http-400)$/,
    'needs a tool that cannot do without sampling: no tool here needs anything of the client',
  ],
  [
    /^sep-2322-(missing-response-rerequests|validate-input-responses|error-on-protocol-error)$/,
    'departs from a SHOULD: a client without a readable answer gets a result with that reason, and no second prompt',
  ],
];

/** Scenarios, and single checks in them, that make sense over HTTP only. */
export const notForStdio = [
  [/^server-session-/, 'looks at the ids and the end of HTTP sessions: over stdio the process is the session'],
  [/^dns-rebinding-protection$/, 'looks at the headers Host and Origin: no web page reaches a pipe'],
  [/^http-/, 'looks at headers of HTTP'],
  [/-400$/, 'looks at a status code of HTTP'],
];

/** The reason in a list for a scenario or a check; undefined where it is not in the list. */
export function reasonIn(list, name) {
  return list.find(([pattern]) => pattern.test(name))?.[1];
}
