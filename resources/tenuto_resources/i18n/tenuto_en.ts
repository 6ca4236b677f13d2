<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Activity</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%Ln call</numerusform>
            <numerusform>%Ln calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%Ln error</numerusform>
            <numerusform>%Ln errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more tool(s)</source>
        <translation>
            <numerusform>%Ln more tool</numerusform>
            <numerusform>%Ln more tools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It fell to 0 after a break, in %n turn(s): {turns}.</source>
        <translation>
            <numerusform>It fell to 0 after a break, in %Ln turn: {turns}.</numerusform>
            <numerusform>It fell to 0 after a break, in %Ln turns: {turns}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It fell to 0 in %n turn(s): {turns}.</source>
        <translation>
            <numerusform>It fell to 0 in %Ln turn: {turns}.</numerusform>
            <numerusform>It fell to 0 in %Ln turns: {turns}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Times as Tenuto saw the records arrive. A journal holds none: %n turn(s) ran unseen and have no bar ({turns}).</source>
        <translation>
            <numerusform>Times as Tenuto saw the records arrive. A journal holds none: %Ln turn ran unseen and have no bar ({turns}).</numerusform>
            <numerusform>Times as Tenuto saw the records arrive. A journal holds none: %Ln turns ran unseen and have no bar ({turns}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Times as the session stores them: %n turn(s) have none and no bar ({turns}).</source>
        <translation>
            <numerusform>Times as the session stores them: %Ln turn have none and no bar ({turns}).</numerusform>
            <numerusform>Times as the session stores them: %Ln turns have none and no bar ({turns}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more error(s)</source>
        <translation>
            <numerusform>and %Ln more error</numerusform>
            <numerusform>and %Ln more errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more tool(s)</source>
        <translation>
            <numerusform>and %Ln more tool</numerusform>
            <numerusform>and %Ln more tools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{errors} of %n call(s)</source>
        <translation>
            <numerusform>{errors} of %Ln call</numerusform>
            <numerusform>{errors} of %Ln calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{turn}, %n call(s)</source>
        <translation>
            <numerusform>{turn}, %Ln call</numerusform>
            <numerusform>{turn}, %Ln calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Configuration</name>
    <message numerus="yes">
        <source>%n block(s) that sum up what was compacted</source>
        <translation>
            <numerusform>%Ln block that sum up what was compacted</numerusform>
            <numerusform>%Ln blocks that sum up what was compacted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) as before</source>
        <translation>
            <numerusform>%Ln line as before</numerusform>
            <numerusform>%Ln lines as before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) gone.</source>
        <translation>
            <numerusform>%Ln line gone.</numerusform>
            <numerusform>%Ln lines gone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) new</source>
        <translation>
            <numerusform>%Ln line new</numerusform>
            <numerusform>%Ln lines new</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) new.</source>
        <translation>
            <numerusform>%Ln line new.</numerusform>
            <numerusform>%Ln lines new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n piece(s) of context</source>
        <translation>
            <numerusform>%Ln piece of context</numerusform>
            <numerusform>%Ln pieces of context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Instructions, %n of them</source>
        <translation>
            <numerusform>Instructions, %Ln of them</numerusform>
            <numerusform>Instructions, %Ln of them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Deletion</name>
    <message numerus="yes">
        <source>%n session(s) could not be deleted</source>
        <translation>
            <numerusform>%Ln session could not be deleted</numerusform>
            <numerusform>%Ln sessions could not be deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deleted %n session(s)</source>
        <translation>
            <numerusform>Deleted %Ln session</numerusform>
            <numerusform>Deleted %Ln sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message numerus="yes">
        <source>%n secret(s) taken out: {kinds}.</source>
        <translation>
            <numerusform>%Ln secret taken out: {kinds}.</numerusform>
            <numerusform>%Ln secrets taken out: {kinds}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ListHeader</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%Ln session</numerusform>
            <numerusform>%Ln sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n session(s)</source>
        <translation>
            <numerusform>{shown} of %Ln session</numerusform>
            <numerusform>{shown} of %Ln sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ListPane</name>
    <message numerus="yes">
        <source>%n session(s) hidden by the filter</source>
        <translation>
            <numerusform>%Ln session hidden by the filter</numerusform>
            <numerusform>%Ln sessions hidden by the filter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NewRun</name>
    <message numerus="yes">
        <source>%n tool(s)</source>
        <translation>
            <numerusform>%Ln tool</numerusform>
            <numerusform>%Ln tools</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Records</name>
    <message numerus="yes">
        <source>%n NUL byte(s), as a power cut leaves them</source>
        <translation>
            <numerusform>%Ln NUL byte, as a power cut leaves them</numerusform>
            <numerusform>%Ln NUL bytes, as a power cut leaves them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s) are set aside in {torn}.</source>
        <translation>
            <numerusform>%Ln byte are set aside in {torn}.</numerusform>
            <numerusform>%Ln bytes are set aside in {torn}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s), {time}</source>
        <translation>
            <numerusform>%Ln event, {time}</numerusform>
            <numerusform>%Ln events, {time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) of this journal cannot be read</source>
        <translation>
            <numerusform>%Ln line of this journal cannot be read</numerusform>
            <numerusform>%Ln lines of this journal cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s): {roles}</source>
        <translation>
            <numerusform>%Ln message: {roles}</numerusform>
            <numerusform>%Ln messages: {roles}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them could not be read before.</source>
        <translation>
            <numerusform>%Ln of them could not be read before.</numerusform>
            <numerusform>%Ln of them could not be read before.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other(s) are intact and shown.</source>
        <translation>
            <numerusform>%Ln other are intact and shown.</numerusform>
            <numerusform>%Ln others are intact and shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) of this session cannot be read</source>
        <translation>
            <numerusform>%Ln place of this session cannot be read</numerusform>
            <numerusform>%Ln places of this session cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) before it are intact and shown.</source>
        <translation>
            <numerusform>%Ln record before it are intact and shown.</numerusform>
            <numerusform>%Ln records before it are intact and shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) will be kept, byte for byte. What belongs to none of them goes to {torn}, and the journal as it is now stays as a backup beside it.</source>
        <translation>
            <numerusform>%Ln record will be kept, byte for byte. What belongs to none of them goes to {torn}, and the journal as it is now stays as a backup beside it.</numerusform>
            <numerusform>%Ln records will be kept, byte for byte. What belongs to none of them goes to {torn}, and the journal as it is now stays as a backup beside it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, and %n more</source>
        <translation>
            <numerusform>, and %Ln more</numerusform>
            <numerusform>, and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Repair can keep %n whole record(s). Nothing has been changed.</source>
        <translation>
            <numerusform>Repair can keep %Ln whole record. Nothing has been changed.</numerusform>
            <numerusform>Repair can keep %Ln whole records. Nothing has been changed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The journal holds %n whole record(s).</source>
        <translation>
            <numerusform>The journal holds %Ln whole record.</numerusform>
            <numerusform>The journal holds %Ln whole records.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>cut off here, after %n byte(s)</source>
        <translation>
            <numerusform>cut off here, after %Ln byte</numerusform>
            <numerusform>cut off here, after %Ln bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message numerus="yes">
        <source>%n file(s) not shown</source>
        <translation>
            <numerusform>%Ln file not shown</numerusform>
            <numerusform>%Ln files not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden by the filter</source>
        <translation>
            <numerusform>%Ln hidden by the filter</numerusform>
            <numerusform>%Ln hidden by the filter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preview(s) pending</source>
        <translation>
            <numerusform>%Ln preview pending</numerusform>
            <numerusform>%Ln previews pending</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%Ln running</numerusform>
            <numerusform>%Ln running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%Ln waiting</numerusform>
            <numerusform>%Ln waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more folder(s)</source>
        <translation>
            <numerusform>and %Ln more folder</numerusform>
            <numerusform>and %Ln more folders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n session(s)</source>
        <translation>
            <numerusform>{shown} of %Ln session</numerusform>
            <numerusform>{shown} of %Ln sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashControl</name>
    <message numerus="yes">
        <source>%n session(s) could not be restored</source>
        <translation>
            <numerusform>%Ln session could not be restored</numerusform>
            <numerusform>%Ln sessions could not be restored</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restored %n session(s)</source>
        <translation>
            <numerusform>Restored %Ln session</numerusform>
            <numerusform>Restored %Ln sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashView</name>
    <message numerus="yes">
        <source>%n deleted session(s), kept until you empty it</source>
        <translation>
            <numerusform>%Ln deleted session, kept until you empty it</numerusform>
            <numerusform>%Ln deleted sessions, kept until you empty it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are in Reasonix's own trash.</source>
        <translation>
            <numerusform>%Ln of them are in Reasonix's own trash.</numerusform>
            <numerusform>%Ln of them are in Reasonix's own trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n session(s) for good?</source>
        <translation>
            <numerusform>Delete %Ln session for good?</numerusform>
            <numerusform>Delete %Ln sessions for good?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WaitingBar</name>
    <message numerus="yes">
        <source>%n session(s) wait for you</source>
        <translation>
            <numerusform>%Ln session wait for you</numerusform>
            <numerusform>%Ln sessions wait for you</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WindowFrame</name>
    <message numerus="yes">
        <source>%n waiting for you – Tenuto</source>
        <translation>
            <numerusform>%Ln waiting for you – Tenuto</numerusform>
            <numerusform>%Ln waiting for you – Tenuto</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>app</name>
    <message numerus="yes">
        <source>%n setting(s) could not be used</source>
        <translation>
            <numerusform>%Ln setting could not be used</numerusform>
            <numerusform>%Ln settings could not be used</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>bulk</name>
    <message numerus="yes">
        <source>%n session(s) at work will stay.</source>
        <translation>
            <numerusform>%Ln session at work will stay.</numerusform>
            <numerusform>%Ln sessions at work will stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n session(s)?</source>
        <translation>
            <numerusform>Delete %Ln session?</numerusform>
            <numerusform>Delete %Ln sessions?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>closing</name>
    <message numerus="yes">
        <source>%n run(s) at work</source>
        <translation>
            <numerusform>%Ln run at work</numerusform>
            <numerusform>%Ln runs at work</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Suspending %n run(s)</source>
        <translation>
            <numerusform>Suspending %Ln run</numerusform>
            <numerusform>Suspending %Ln runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>failure</name>
    <message numerus="yes">
        <source>%n tries</source>
        <translation>
            <numerusform>%Ln tries</numerusform>
            <numerusform>%Ln tries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>force</name>
    <message numerus="yes">
        <source>As they were: %n other tool(s) that it called</source>
        <translation>
            <numerusform>As they were: %Ln other tool that it called</numerusform>
            <numerusform>As they were: %Ln other tools that it called</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>As they were: %n tool(s) that it called</source>
        <translation>
            <numerusform>As they were: %Ln tool that it called</numerusform>
            <numerusform>As they were: %Ln tools that it called</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Still there: %n tool(s) that it called; whether anything changed in them cannot be told, as the saved ones were never seen here</source>
        <translation>
            <numerusform>Still there: %Ln tool that it called; whether anything changed in them cannot be told, as the saved ones were never seen here</numerusform>
            <numerusform>Still there: %Ln tools that it called; whether anything changed in them cannot be told, as the saved ones were never seen here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>is gone; this run called it %n time(s)</source>
        <translation>
            <numerusform>is gone; this run called it %Ln time</numerusform>
            <numerusform>is gone; this run called it %Ln times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>is not as it was ({what}); this run called it %n time(s)</source>
        <translation>
            <numerusform>is not as it was ({what}); this run called it %Ln time</numerusform>
            <numerusform>is not as it was ({what}); this run called it %Ln times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>format</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>groups</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%Ln session</numerusform>
            <numerusform>%Ln sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>reasons</name>
    <message numerus="yes">
        <source>%n of them cannot be deleted. {why}</source>
        <translation>
            <numerusform>%Ln of them cannot be deleted. {why}</numerusform>
            <numerusform>%Ln of them cannot be deleted. {why}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>refusals</name>
    <message numerus="yes">
        <source>It was asked %n time(s).</source>
        <translation>
            <numerusform>It was asked %Ln time.</numerusform>
            <numerusform>It was asked %Ln times.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>status</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%Ln call</numerusform>
            <numerusform>%Ln calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n turn(s)</source>
        <translation>
            <numerusform>%Ln turn</numerusform>
            <numerusform>%Ln turns</numerusform>
        </translation>
    </message>
</context>
</TS>
