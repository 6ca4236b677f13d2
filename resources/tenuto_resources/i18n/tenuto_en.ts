<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Activity</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more tool(s)</source>
        <translation>
            <numerusform>%n more tool</numerusform>
            <numerusform>%n more tools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It fell to 0 after a break, in %n turn(s): {turns}.</source>
        <translation>
            <numerusform>It fell to 0 after a break, in %n turn: {turns}.</numerusform>
            <numerusform>It fell to 0 after a break, in %n turns: {turns}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It fell to 0 in %n turn(s): {turns}.</source>
        <translation>
            <numerusform>It fell to 0 in %n turn: {turns}.</numerusform>
            <numerusform>It fell to 0 in %n turns: {turns}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Times as Tenuto saw the records arrive. A journal holds none: %n turn(s) ran unseen and have no bar ({turns}).</source>
        <translation>
            <numerusform>Times as Tenuto saw the records arrive. A journal holds none: %n turn ran unseen and have no bar ({turns}).</numerusform>
            <numerusform>Times as Tenuto saw the records arrive. A journal holds none: %n turns ran unseen and have no bar ({turns}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Times as the session stores them: %n turn(s) have none and no bar ({turns}).</source>
        <translation>
            <numerusform>Times as the session stores them: %n turn have none and no bar ({turns}).</numerusform>
            <numerusform>Times as the session stores them: %n turns have none and no bar ({turns}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more error(s)</source>
        <translation>
            <numerusform>and %n more error</numerusform>
            <numerusform>and %n more errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more tool(s)</source>
        <translation>
            <numerusform>and %n more tool</numerusform>
            <numerusform>and %n more tools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{errors} of %n call(s)</source>
        <translation>
            <numerusform>{errors} of %n call</numerusform>
            <numerusform>{errors} of %n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{turn}, %n call(s)</source>
        <translation>
            <numerusform>{turn}, %n call</numerusform>
            <numerusform>{turn}, %n calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Configuration</name>
    <message numerus="yes">
        <source>%n block(s) that sum up what was compacted</source>
        <translation>
            <numerusform>%n block that sum up what was compacted</numerusform>
            <numerusform>%n blocks that sum up what was compacted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) as before</source>
        <translation>
            <numerusform>%n line as before</numerusform>
            <numerusform>%n lines as before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) gone.</source>
        <translation>
            <numerusform>%n line gone.</numerusform>
            <numerusform>%n lines gone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) new</source>
        <translation>
            <numerusform>%n line new</numerusform>
            <numerusform>%n lines new</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) new.</source>
        <translation>
            <numerusform>%n line new.</numerusform>
            <numerusform>%n lines new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n piece(s) of context</source>
        <translation>
            <numerusform>%n piece of context</numerusform>
            <numerusform>%n pieces of context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Instructions, %n of them</source>
        <translation>
            <numerusform>Instructions, %n of them</numerusform>
            <numerusform>Instructions, %n of them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Deletion</name>
    <message numerus="yes">
        <source>%n session(s) could not be deleted</source>
        <translation>
            <numerusform>%n session could not be deleted</numerusform>
            <numerusform>%n sessions could not be deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deleted %n session(s)</source>
        <translation>
            <numerusform>Deleted %n session</numerusform>
            <numerusform>Deleted %n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message numerus="yes">
        <source>%n secret(s) taken out: {kinds}.</source>
        <translation>
            <numerusform>%n secret taken out: {kinds}.</numerusform>
            <numerusform>%n secrets taken out: {kinds}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ListHeader</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n session(s)</source>
        <translation>
            <numerusform>{shown} of %n session</numerusform>
            <numerusform>{shown} of %n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ListPane</name>
    <message numerus="yes">
        <source>%n session(s) hidden by the filter</source>
        <translation>
            <numerusform>%n session hidden by the filter</numerusform>
            <numerusform>%n sessions hidden by the filter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NewRun</name>
    <message numerus="yes">
        <source>%n tool(s)</source>
        <translation>
            <numerusform>%n tool</numerusform>
            <numerusform>%n tools</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Records</name>
    <message numerus="yes">
        <source>%n NUL byte(s), as a power cut leaves them</source>
        <translation>
            <numerusform>%n NUL byte, as a power cut leaves them</numerusform>
            <numerusform>%n NUL bytes, as a power cut leaves them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s) are set aside in {torn}.</source>
        <translation>
            <numerusform>%n byte are set aside in {torn}.</numerusform>
            <numerusform>%n bytes are set aside in {torn}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s), {time}</source>
        <translation>
            <numerusform>%n event, {time}</numerusform>
            <numerusform>%n events, {time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) of this journal cannot be read</source>
        <translation>
            <numerusform>%n line of this journal cannot be read</numerusform>
            <numerusform>%n lines of this journal cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s): {roles}</source>
        <translation>
            <numerusform>%n message: {roles}</numerusform>
            <numerusform>%n messages: {roles}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them could not be read before.</source>
        <translation>
            <numerusform>%n of them could not be read before.</numerusform>
            <numerusform>%n of them could not be read before.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other(s) are intact and shown.</source>
        <translation>
            <numerusform>%n other are intact and shown.</numerusform>
            <numerusform>%n others are intact and shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) of this session cannot be read</source>
        <translation>
            <numerusform>%n place of this session cannot be read</numerusform>
            <numerusform>%n places of this session cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) before it are intact and shown.</source>
        <translation>
            <numerusform>%n record before it are intact and shown.</numerusform>
            <numerusform>%n records before it are intact and shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) will be kept, byte for byte. What belongs to none of them goes to {torn}, and the journal as it is now stays as a backup beside it.</source>
        <translation>
            <numerusform>%n record will be kept, byte for byte. What belongs to none of them goes to {torn}, and the journal as it is now stays as a backup beside it.</numerusform>
            <numerusform>%n records will be kept, byte for byte. What belongs to none of them goes to {torn}, and the journal as it is now stays as a backup beside it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, and %n more</source>
        <translation>
            <numerusform>, and %n more</numerusform>
            <numerusform>, and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Repair can keep %n whole record(s). Nothing has been changed.</source>
        <translation>
            <numerusform>Repair can keep %n whole record. Nothing has been changed.</numerusform>
            <numerusform>Repair can keep %n whole records. Nothing has been changed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The journal holds %n whole record(s).</source>
        <translation>
            <numerusform>The journal holds %n whole record.</numerusform>
            <numerusform>The journal holds %n whole records.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>cut off here, after %n byte(s)</source>
        <translation>
            <numerusform>cut off here, after %n byte</numerusform>
            <numerusform>cut off here, after %n bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message numerus="yes">
        <source>%n file(s) not shown</source>
        <translation>
            <numerusform>%n file not shown</numerusform>
            <numerusform>%n files not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden by the filter</source>
        <translation>
            <numerusform>%n hidden by the filter</numerusform>
            <numerusform>%n hidden by the filter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preview(s) pending</source>
        <translation>
            <numerusform>%n preview pending</numerusform>
            <numerusform>%n previews pending</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n running</numerusform>
            <numerusform>%n running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n waiting</numerusform>
            <numerusform>%n waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more folder(s)</source>
        <translation>
            <numerusform>and %n more folder</numerusform>
            <numerusform>and %n more folders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n session(s)</source>
        <translation>
            <numerusform>{shown} of %n session</numerusform>
            <numerusform>{shown} of %n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashControl</name>
    <message numerus="yes">
        <source>%n session(s) could not be restored</source>
        <translation>
            <numerusform>%n session could not be restored</numerusform>
            <numerusform>%n sessions could not be restored</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restored %n session(s)</source>
        <translation>
            <numerusform>Restored %n session</numerusform>
            <numerusform>Restored %n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashView</name>
    <message numerus="yes">
        <source>%n deleted session(s), kept until you empty it</source>
        <translation>
            <numerusform>%n deleted session, kept until you empty it</numerusform>
            <numerusform>%n deleted sessions, kept until you empty it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are in Reasonix's own trash.</source>
        <translation>
            <numerusform>%n of them are in Reasonix's own trash.</numerusform>
            <numerusform>%n of them are in Reasonix's own trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n session(s) for good?</source>
        <translation>
            <numerusform>Delete %n session for good?</numerusform>
            <numerusform>Delete %n sessions for good?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WaitingBar</name>
    <message numerus="yes">
        <source>%n session(s) wait for you</source>
        <translation>
            <numerusform>%n session wait for you</numerusform>
            <numerusform>%n sessions wait for you</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WindowFrame</name>
    <message numerus="yes">
        <source>%n waiting for you – Tenuto</source>
        <translation>
            <numerusform>%n waiting for you – Tenuto</numerusform>
            <numerusform>%n waiting for you – Tenuto</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>app</name>
    <message numerus="yes">
        <source>%n setting(s) could not be used</source>
        <translation>
            <numerusform>%n setting could not be used</numerusform>
            <numerusform>%n settings could not be used</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>bulk</name>
    <message numerus="yes">
        <source>%n session(s) at work will stay.</source>
        <translation>
            <numerusform>%n session at work will stay.</numerusform>
            <numerusform>%n sessions at work will stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n session(s)?</source>
        <translation>
            <numerusform>Delete %n session?</numerusform>
            <numerusform>Delete %n sessions?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>closing</name>
    <message numerus="yes">
        <source>%n run(s) at work</source>
        <translation>
            <numerusform>%n run at work</numerusform>
            <numerusform>%n runs at work</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Suspending %n run(s)</source>
        <translation>
            <numerusform>Suspending %n run</numerusform>
            <numerusform>Suspending %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>failure</name>
    <message numerus="yes">
        <source>%n tries</source>
        <translation>
            <numerusform>%n tries</numerusform>
            <numerusform>%n tries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>force</name>
    <message numerus="yes">
        <source>As they were: %n other tool(s) that it called</source>
        <translation>
            <numerusform>As they were: %n other tool that it called</numerusform>
            <numerusform>As they were: %n other tools that it called</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>As they were: %n tool(s) that it called</source>
        <translation>
            <numerusform>As they were: %n tool that it called</numerusform>
            <numerusform>As they were: %n tools that it called</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Still there: %n tool(s) that it called; whether anything changed in them cannot be told, as the saved ones were never seen here</source>
        <translation>
            <numerusform>Still there: %n tool that it called; whether anything changed in them cannot be told, as the saved ones were never seen here</numerusform>
            <numerusform>Still there: %n tools that it called; whether anything changed in them cannot be told, as the saved ones were never seen here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>is gone; this run called it %n time(s)</source>
        <translation>
            <numerusform>is gone; this run called it %n time</numerusform>
            <numerusform>is gone; this run called it %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>is not as it was ({what}); this run called it %n time(s)</source>
        <translation>
            <numerusform>is not as it was ({what}); this run called it %n time</numerusform>
            <numerusform>is not as it was ({what}); this run called it %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>format</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>groups</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>reasons</name>
    <message numerus="yes">
        <source>%n of them cannot be deleted. {why}</source>
        <translation>
            <numerusform>%n of them cannot be deleted. {why}</numerusform>
            <numerusform>%n of them cannot be deleted. {why}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>refusals</name>
    <message numerus="yes">
        <source>It was asked %n time(s).</source>
        <translation>
            <numerusform>It was asked %n time.</numerusform>
            <numerusform>It was asked %n times.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>status</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n turn(s)</source>
        <translation>
            <numerusform>%n turn</numerusform>
            <numerusform>%n turns</numerusform>
        </translation>
    </message>
</context>
</TS>
