<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Tenuto</source>
        <translation>关于 Tenuto</translation>
    </message>
    <message>
        <source>Build {commit} of {date}</source>
        <translation>构建 {commit}，{date}</translation>
    </message>
    <message>
        <source>Licences in full</source>
        <translation>许可证全文</translation>
    </message>
    <message>
        <source>Parts and their licences</source>
        <translation>组成部分及其许可证</translation>
    </message>
    <message>
        <source>Run from source</source>
        <translation>从源代码运行</translation>
    </message>
    <message>
        <source>Tenuto is licensed under the Apache License 2.0. It sends nothing anywhere but what runs send to their models and servers: no telemetry, no look for updates.</source>
        <translation>Tenuto 按 Apache License 2.0 许可。除运行发送给其模型和服务器的内容外，它不向任何地方发送任何东西：没有遥测，也不检查更新。</translation>
    </message>
</context>
<context>
    <name>Activity</name>
    <message>
        <source>% = share of the input read from cache.</source>
        <translation>% = 输入中从缓存读取的比例。</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%Ln 次调用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%Ln 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more tool(s)</source>
        <translation>
            <numerusform>另有 %Ln 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>(unknown tool)</source>
        <translation>（未知工具）</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>At work</source>
        <translation>工作时间</translation>
    </message>
    <message>
        <source>By turn: a journal holds no times, and Tenuto did not see this run.</source>
        <translation>按轮次显示：日志中没有时间，Tenuto 也没有看到这次运行。</translation>
    </message>
    <message>
        <source>By turn: this session stores no times.</source>
        <translation>按轮显示：此会话没有存储时间。</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>From cache</source>
        <translation>来自缓存</translation>
    </message>
    <message>
        <source>From start to end</source>
        <translation>从开始到结束</translation>
    </message>
    <message numerus="yes">
        <source>It fell to 0 after a break, in %n turn(s): {turns}.</source>
        <translation>
            <numerusform>中断之后有 %Ln 轮降为 0：{turns}。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It fell to 0 in %n turn(s): {turns}.</source>
        <translation>
            <numerusform>有 %Ln 轮降为 0：{turns}。</numerusform>
        </translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Longest call: {call}, {turn}</source>
        <translation>最长的调用：{call}，{turn}</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>No call failed.</source>
        <translation>没有调用失败。</translation>
    </message>
    <message>
        <source>No session is chosen</source>
        <translation>未选择会话</translation>
    </message>
    <message>
        <source>Reading {size}</source>
        <translation>正在读取 {size}</translation>
    </message>
    <message>
        <source>Show in transcript</source>
        <translation>在对话记录中显示</translation>
    </message>
    <message>
        <source>Slowest tools</source>
        <translation>最慢的工具</translation>
    </message>
    <message>
        <source>Slowest tools and errors</source>
        <translation>最慢的工具和错误</translation>
    </message>
    <message>
        <source>Suspended</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Tenuto knows no token counts of this session.</source>
        <translation>Tenuto 不知道此会话的 token 数。</translation>
    </message>
    <message>
        <source>The model has not answered yet: nothing to show</source>
        <translation>模型尚未回答：没有可显示的内容</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>运行失败</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Times as Tenuto saw the records arrive. A journal holds none.</source>
        <translation>时间是 Tenuto 看到记录到达的时刻。日志中没有时间。</translation>
    </message>
    <message numerus="yes">
        <source>Times as Tenuto saw the records arrive. A journal holds none: %n turn(s) ran unseen and have no bar ({turns}).</source>
        <translation>
            <numerusform>时间是 Tenuto 看到记录到达的时刻。日志中没有时间：有 %Ln 轮未被看到，没有条形（{turns}）。</numerusform>
        </translation>
    </message>
    <message>
        <source>Times as the session stores them.</source>
        <translation>时间为会话自己存储的时间。</translation>
    </message>
    <message numerus="yes">
        <source>Times as the session stores them: %n turn(s) have none and no bar ({turns}).</source>
        <translation>
            <numerusform>时间为会话自己存储的时间：有 %Ln 轮没有时间，因此没有条形（{turns}）。</numerusform>
        </translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Tokens per turn</source>
        <translation>每轮 token 数</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Waited for you</source>
        <translation>等待您的时间</translation>
    </message>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message numerus="yes">
        <source>and %n more error(s)</source>
        <translation>
            <numerusform>以及另外 %Ln 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more tool(s)</source>
        <translation>
            <numerusform>以及另外 %Ln 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>by turn</source>
        <translation>按轮次</translation>
    </message>
    <message>
        <source>cache read</source>
        <translation>缓存读取</translation>
    </message>
    <message>
        <source>cache write</source>
        <translation>缓存写入</translation>
    </message>
    <message>
        <source>denied</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>exit {code}</source>
        <translation>退出码 {code}</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>idle gaps over 1 m are folded</source>
        <translation>超过 1 分钟的空闲已折叠</translation>
    </message>
    <message>
        <source>in all {time}</source>
        <translation>共 {time}</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>longest {time}</source>
        <translation>最长 {time}</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>turn {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>waited for you, {time}, from {clock}</source>
        <translation>等待您，{time}，自 {clock} 起</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>等待您</translation>
    </message>
    <message numerus="yes">
        <source>{errors} of %n call(s)</source>
        <translation>
            <numerusform>{errors} / %Ln 次调用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{turn}, %n call(s)</source>
        <translation>
            <numerusform>{turn}，%Ln 次调用</numerusform>
        </translation>
    </message>
    <message>
        <source>{turn}: model, {time}, {clock}</source>
        <translation>{turn}：模型，{time}，{clock}</translation>
    </message>
    <message>
        <source>{turn}: {read} from cache, {write} to cache, {input} other input, {output} output tokens; {share} of the input from cache</source>
        <translation>{turn}：从缓存 {read}，写入缓存 {write}，其他输入 {input}，输出 {output} token；输入的 {share} 来自缓存</translation>
    </message>
</context>
<context>
    <name>Annotation</name>
    <message>
        <source>Keep note</source>
        <translation>保存备注</translation>
    </message>
    <message>
        <source>Note on {name}</source>
        <translation>{name} 的备注</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename {id}</source>
        <translation>重命名 {id}</translation>
    </message>
    <message>
        <source>The note could not be kept</source>
        <translation>无法保存备注</translation>
    </message>
    <message>
        <source>The note is kept by Tenuto, not in the session, and shown in the session's head.</source>
        <translation>备注由 Tenuto 保存，不写入会话，并显示在会话的标题栏中。</translation>
    </message>
    <message>
        <source>The session could not be pinned</source>
        <translation>无法置顶会话</translation>
    </message>
    <message>
        <source>The session could not be renamed</source>
        <translation>无法重命名会话</translation>
    </message>
    <message>
        <source>The title is kept beside the session, which stays as it is. Without one it is called by its prompt.</source>
        <translation>标题保存在会话旁边，会话本身不变。没有标题时以其提示命名。</translation>
    </message>
</context>
<context>
    <name>BundleWindow</name>
    <message>
        <source>Copy into the runs folder</source>
        <translation>复制到运行文件夹</translation>
    </message>
    <message>
        <source>Opened from {file}, read-only</source>
        <translation>从 {file} 打开，只读</translation>
    </message>
    <message>
        <source>The file is verified. It is not in your runs folder.</source>
        <translation>文件已校验。它不在您的运行文件夹中。</translation>
    </message>
    <message>
        <source>The session could not be copied</source>
        <translation>无法复制会话</translation>
    </message>
    <message>
        <source>This file cannot be opened</source>
        <translation>无法打开此文件</translation>
    </message>
</context>
<context>
    <name>ChooseSession</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Nothing found for “{text}”</source>
        <translation>没有找到“{text}”</translation>
    </message>
</context>
<context>
    <name>Configuration</name>
    <message numerus="yes">
        <source>%n block(s) that sum up what was compacted</source>
        <translation>
            <numerusform>%Ln 段被压缩内容的摘要</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) as before</source>
        <translation>
            <numerusform>%Ln 行未变</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) gone.</source>
        <translation>
            <numerusform>删去了 %Ln 行。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) new</source>
        <translation>
            <numerusform>新增 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) new.</source>
        <translation>
            <numerusform>新增 %Ln 行。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n piece(s) of context</source>
        <translation>
            <numerusform>%Ln 段上下文</numerusform>
        </translation>
    </message>
    <message>
        <source>A chat stays a chat, and a one-shot run stays one.</source>
        <translation>聊天始终是聊天，单次运行始终是单次运行。</translation>
    </message>
    <message>
        <source>A resume goes on with</source>
        <translation>继续时使用</translation>
    </message>
    <message>
        <source>A run keeps a hash of it, and Tenuto has not seen the saved one: what changed in it cannot be told.</source>
        <translation>运行只保存其哈希值，而 Tenuto 没有见过所保存的内容：无法说明其中改变了什么。</translation>
    </message>
    <message>
        <source>A run keeps digests of its prompt, not the words, so Tenuto cannot show them.</source>
        <translation>运行只保存提示的摘要，不保存文字，因此 Tenuto 无法显示。</translation>
    </message>
    <message>
        <source>A run stays with its provider; force does not help.</source>
        <translation>运行不能更换提供方；强制也无济于事。</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Added by its program</source>
        <translation>由其程序添加</translation>
    </message>
    <message>
        <source>Agent configurations (*.yaml *.yml)</source>
        <translation>代理配置 (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Back to {file}</source>
        <translation>返回 {file}</translation>
    </message>
    <message>
        <source>Both were saved with the same configuration</source>
        <translation>两者保存时的配置相同</translation>
    </message>
    <message>
        <source>Cannot be forced</source>
        <translation>不能强制</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Choose a configuration first</source>
        <translation>请先选择配置</translation>
    </message>
    <message>
        <source>Choose an agent configuration</source>
        <translation>选择代理配置</translation>
    </message>
    <message>
        <source>Choose configuration…</source>
        <translation>选择配置…</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Current configuration</source>
        <translation>当前配置</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message numerus="yes">
        <source>Instructions, %n of them</source>
        <translation>
            <numerusform>指令，共 %Ln 份</numerusform>
        </translation>
    </message>
    <message>
        <source>It can resume as it is.</source>
        <translation>可以直接继续。</translation>
    </message>
    <message>
        <source>It has its final answer and cannot be resumed.</source>
        <translation>它已有最终答案，不能继续。</translation>
    </message>
    <message>
        <source>It has no instructions</source>
        <translation>它没有指令</translation>
    </message>
    <message>
        <source>Iteration budget</source>
        <translation>迭代上限</translation>
    </message>
    <message>
        <source>Its journal is damaged. It can be read.</source>
        <translation>其日志已损坏，但可以阅读。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Line {line}, column {column}: </source>
        <translation>第 {line} 行第 {column} 列：</translation>
    </message>
    <message>
        <source>Line {line}: </source>
        <translation>第 {line} 行：</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>No configuration is chosen</source>
        <translation>未选择配置</translation>
    </message>
    <message>
        <source>No row differs</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>Nothing needs to be forced</source>
        <translation>无需强制</translation>
    </message>
    <message>
        <source>Part {n}</source>
        <translation>第 {n} 部分</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供方</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Resume refuses it. Resume with force goes on under today’s configuration.</source>
        <translation>继续会被拒绝。强制继续将使用现在的配置。</translation>
    </message>
    <message>
        <source>Resume with force…</source>
        <translation>强制继续…</translation>
    </message>
    <message>
        <source>Same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Saved and current configuration</source>
        <translation>保存的配置与当前配置</translation>
    </message>
    <message>
        <source>Saved in the other session</source>
        <translation>另一会话中保存的</translation>
    </message>
    <message>
        <source>Saved in the run</source>
        <translation>运行中保存的</translation>
    </message>
    <message>
        <source>Saved without a configuration</source>
        <translation>保存时没有配置</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>Tenuto knows none that this run was saved with. Choose an agent.yaml to see what differs.</source>
        <translation>Tenuto 不知道此运行保存时的配置。选择一个 agent.yaml 以查看差异。</translation>
    </message>
    <message>
        <source>The comparison failed</source>
        <translation>比较失败</translation>
    </message>
    <message>
        <source>The configuration is the same; the run cannot resume</source>
        <translation>配置相同；运行不能继续</translation>
    </message>
    <message>
        <source>The configurations differ</source>
        <translation>配置不同</translation>
    </message>
    <message>
        <source>The run was saved with this configuration</source>
        <translation>运行保存时使用的就是此配置</translation>
    </message>
    <message>
        <source>The same lines, in another order or spacing.</source>
        <translation>行相同，但顺序或空白不同。</translation>
    </message>
    <message>
        <source>The same tools, in another order.</source>
        <translation>工具相同，但顺序不同。</translation>
    </message>
    <message>
        <source>The session cannot be read</source>
        <translation>无法读取该会话</translation>
    </message>
    <message>
        <source>There is nothing to compare: any configuration may go on with it.</source>
        <translation>没有可比较的内容：任何配置都可以继续它。</translation>
    </message>
    <message>
        <source>They were saved with different configurations</source>
        <translation>两者保存时的配置不同</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>This configuration cannot be used</source>
        <translation>无法使用此配置</translation>
    </message>
    <message>
        <source>This configuration differs from the saved one</source>
        <translation>此配置与保存的配置不同</translation>
    </message>
    <message>
        <source>This run cannot resume in this way</source>
        <translation>此运行不能以这种方式继续</translation>
    </message>
    <message>
        <source>This run cannot resume with this configuration</source>
        <translation>此运行不能用此配置继续</translation>
    </message>
    <message>
        <source>This run cannot resume.</source>
        <translation>此运行不能继续。</translation>
    </message>
    <message>
        <source>This run is completed</source>
        <translation>此运行已完成</translation>
    </message>
    <message>
        <source>Token budget</source>
        <translation>token 预算</translation>
    </message>
    <message>
        <source>Tool set</source>
        <translation>工具集</translation>
    </message>
    <message>
        <source>Tools it called</source>
        <translation>它调用过的工具</translation>
    </message>
    <message>
        <source>Use that one</source>
        <translation>使用该配置</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %Ln 个</numerusform>
        </translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>以及另外 {n} 个</translation>
    </message>
    <message>
        <source>description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>input schema</source>
        <translation>输入模式</translation>
    </message>
    <message>
        <source>loaded when asked for</source>
        <translation>按需加载</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>record 1</source>
        <translation>第 1 条记录</translation>
    </message>
    <message>
        <source>the configuration that is chosen then</source>
        <translation>届时选择的配置</translation>
    </message>
    <message>
        <source>the session does not say</source>
        <translation>会话中没有说明</translation>
    </message>
    <message>
        <source>{key}: {what}</source>
        <translation>{key}：{what}</translation>
    </message>
    <message>
        <source>{n} added</source>
        <translation>新增 {n}</translation>
    </message>
    <message>
        <source>{n} changed</source>
        <translation>更改 {n}</translation>
    </message>
    <message>
        <source>{n} gone</source>
        <translation>删去 {n}</translation>
    </message>
    <message>
        <source>{n} of {all} rows differ</source>
        <translation>{all} 行中有 {n} 行不同</translation>
    </message>
    <message>
        <source>{n} removed</source>
        <translation>移除 {n}</translation>
    </message>
    <message>
        <source>{path} matches.</source>
        <translation>{path} 相符。</translation>
    </message>
</context>
<context>
    <name>Deletion</name>
    <message numerus="yes">
        <source>%n session(s) could not be deleted</source>
        <translation>
            <numerusform>有 %Ln 个会话无法删除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deleted %n session(s)</source>
        <translation>
            <numerusform>已删除 %Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>Deleted “{name}”</source>
        <translation>已删除“{name}”</translation>
    </message>
    <message>
        <source>It is in the trash, nothing of it is lost.</source>
        <translation>它在回收站中，没有丢失任何内容。</translation>
    </message>
    <message>
        <source>Nothing else has been changed.</source>
        <translation>没有做其他更改。</translation>
    </message>
    <message>
        <source>The deletion could not be undone</source>
        <translation>无法撤销删除</translation>
    </message>
    <message>
        <source>They are in the trash, nothing of them is lost.</source>
        <translation>它们在回收站中，没有丢失任何内容。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>Detail</name>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>对话记录</translation>
    </message>
</context>
<context>
    <name>DetailTabs</name>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
</context>
<context>
    <name>Details</name>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Export {name}</source>
        <translation>导出 {name}</translation>
    </message>
    <message>
        <source>Take out keys, passwords and tokens</source>
        <translation>去除密钥、密码和令牌</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message numerus="yes">
        <source>%n secret(s) taken out: {kinds}.</source>
        <translation>
            <numerusform>已去除 %Ln 处机密：{kinds}。</numerusform>
        </translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>导出到</translation>
    </message>
    <message>
        <source>Exported to {path}</source>
        <translation>已导出到 {path}</translation>
    </message>
    <message>
        <source>No keys, passwords or tokens were found in it.</source>
        <translation>其中没有发现密钥、密码或令牌。</translation>
    </message>
    <message>
        <source>Of runs only: another program’s session is moved by copying its files.</source>
        <translation>仅限运行：其他程序的会话通过复制其文件来迁移。</translation>
    </message>
    <message>
        <source>Open an exported session</source>
        <translation>打开导出的会话</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Tenuto sessions (*.tenuto)</source>
        <translation>Tenuto 会话 (*.tenuto)</translation>
    </message>
    <message>
        <source>The session could not be exported</source>
        <translation>无法导出会话</translation>
    </message>
</context>
<context>
    <name>Faults</name>
    <message>
        <source>Runs and sessions are not touched by it. What you see may be out of date.</source>
        <translation>运行和会话不受影响。您看到的内容可能不是最新的。</translation>
    </message>
    <message>
        <source>Something in this window failed</source>
        <translation>此窗口出了故障</translation>
    </message>
</context>
<context>
    <name>FilterColumn</name>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>FilterEdit</name>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Filter sessions</source>
        <translation>筛选会话</translation>
    </message>
</context>
<context>
    <name>FilterModel</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Making samples…</source>
        <translation>正在制作示例…</translation>
    </message>
    <message>
        <source>No sessions yet</source>
        <translation>还没有会话</translation>
    </message>
    <message>
        <source>Tenuto shows the runs of fisk-ai and the sessions of Reasonix on this computer: which are running, which wait for you, which stopped and why, and whether they can safely go on.</source>
        <translation>Tenuto 显示本机上 fisk-ai 的运行和 Reasonix 的会话：哪些正在运行，哪些在等您，哪些停了、为什么停，以及能否安全地继续。</translation>
    </message>
    <message>
        <source>Tenuto watches these folders. A run started in a terminal appears here by itself.</source>
        <translation>Tenuto 会监视这些文件夹。在终端中启动的运行会自动出现在这里。</translation>
    </message>
    <message>
        <source>The samples hold a run of every kind. They work offline and run harmless commands only.</source>
        <translation>示例包含每一种运行。它们离线工作，只执行无害的命令。</translation>
    </message>
    <message>
        <source>Try it with sample sessions</source>
        <translation>用示例会话试一试</translation>
    </message>
    <message>
        <source>What the marks mean</source>
        <translation>标记的含义</translation>
    </message>
    <message>
        <source>Where it looked</source>
        <translation>查找的位置</translation>
    </message>
</context>
<context>
    <name>FolderControl</name>
    <message>
        <source>Choose a folder of runs</source>
        <translation>选择运行文件夹</translation>
    </message>
    <message>
        <source>The samples could not be made</source>
        <translation>无法制作示例</translation>
    </message>
</context>
<context>
    <name>Following</name>
    <message>
        <source>It will be opened when it appears in this folder.</source>
        <translation>当它出现在此文件夹中时会被打开。</translation>
    </message>
    <message>
        <source>There is no session called {id}</source>
        <translation>没有名为 {id} 的会话</translation>
    </message>
</context>
<context>
    <name>Forking</name>
    <message>
        <source>Fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <source>Fork {name} at record {n}</source>
        <translation>在第 {n} 条记录处分叉 {name}</translation>
    </message>
    <message>
        <source>Forked as {id}</source>
        <translation>已分叉为 {id}</translation>
    </message>
    <message>
        <source>It goes on when it is resumed.</source>
        <translation>继续时它会接着运行。</translation>
    </message>
    <message>
        <source>Resume with a message…</source>
        <translation>带消息继续…</translation>
    </message>
    <message>
        <source>The id of the new run, or nothing for a new one. It holds what there is up to this record, suspended; the old run stays as it is.</source>
        <translation>新运行的标识，留空则新建一个。它包含到此记录为止的内容，处于暂停状态；原运行不变。</translation>
    </message>
    <message>
        <source>The session could not be forked</source>
        <translation>无法分叉会话</translation>
    </message>
</context>
<context>
    <name>ListHeader</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Forks below their session</source>
        <translation>将分支列在其来源会话之下</translation>
    </message>
    <message>
        <source>Order and groups</source>
        <translation>排序与分组</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n session(s)</source>
        <translation>
            <numerusform>{shown} / %Ln 个会话</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ListPane</name>
    <message numerus="yes">
        <source>%n session(s) hidden by the filter</source>
        <translation>
            <numerusform>筛选隐藏了 %Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>It was looked for in title, prompt, last text, model and id.</source>
        <translation>已在标题、提示、最后文字、模型和标识中查找。</translation>
    </message>
    <message>
        <source>Nothing found for “{text}”</source>
        <translation>没有找到“{text}”</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Compare the configuration with that of another session</source>
        <translation>与另一会话的配置比较</translation>
    </message>
    <message>
        <source>Not everything in this folder is a session</source>
        <translation>此文件夹中并非全是会话</translation>
    </message>
    <message>
        <source>The settings could not be saved</source>
        <translation>无法保存设置</translation>
    </message>
    <message>
        <source>What is not shown is left alone.</source>
        <translation>未显示的内容保持原样。</translation>
    </message>
</context>
<context>
    <name>NewRun</name>
    <message numerus="yes">
        <source>%n tool(s)</source>
        <translation>
            <numerusform>%Ln 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>A name is letters, digits, - and _, and begins with a letter or digit</source>
        <translation>名称由字母、数字、- 和 _ 组成，并以字母或数字开头</translation>
    </message>
    <message>
        <source>A run of that name is at work here.</source>
        <translation>此处已有同名的运行正在工作。</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>Begin with an earlier prompt</source>
        <translation>从先前的提示开始</translation>
    </message>
    <message>
        <source>Chat: waits for what comes next</source>
        <translation>聊天：等待后续消息</translation>
    </message>
    <message>
        <source>Choose an agent configuration</source>
        <translation>选择代理配置</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Ends with its answer</source>
        <translation>给出答案后结束</translation>
    </message>
    <message>
        <source>It is starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Its id; nothing for a new one</source>
        <translation>其标识；留空则新建一个</translation>
    </message>
    <message>
        <source>Its prompt cannot be read</source>
        <translation>无法读取其提示</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新建运行</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Reading the configuration…</source>
        <translation>正在读取配置…</translation>
    </message>
    <message>
        <source>Recent…</source>
        <translation>最近…</translation>
    </message>
    <message>
        <source>Say what the agent is to do</source>
        <translation>请说明代理要做什么</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>The configuration is being read</source>
        <translation>正在读取配置</translation>
    </message>
    <message>
        <source>The prompt is too long: put it into a file for a tool</source>
        <translation>提示太长：请放入文件供工具读取</translation>
    </message>
    <message>
        <source>The run was not started.</source>
        <translation>运行没有启动。</translation>
    </message>
    <message>
        <source>The run was not started. {why}</source>
        <translation>运行没有启动。{why}</translation>
    </message>
    <message>
        <source>This configuration cannot be used.</source>
        <translation>无法使用此配置。</translation>
    </message>
    <message>
        <source>Tools of the run</source>
        <translation>运行的工具</translation>
    </message>
    <message>
        <source>What the agent is to do</source>
        <translation>代理要做的事</translation>
    </message>
    <message>
        <source>asking before each call: {n}</source>
        <translation>每次调用前询问：{n}</translation>
    </message>
    <message>
        <source>asks first</source>
        <translation>先询问</translation>
    </message>
    <message>
        <source>none of them asks first</source>
        <translation>都不先询问</translation>
    </message>
    <message>
        <source>{model}, no tools</source>
        <translation>{model}，无工具</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close this notice</source>
        <translation>关闭此通知</translation>
    </message>
</context>
<context>
    <name>Records</name>
    <message numerus="yes">
        <source>%n NUL byte(s), as a power cut leaves them</source>
        <translation>
            <numerusform>%Ln 个 NUL 字节，断电会留下这样的字节</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s) are set aside in {torn}.</source>
        <translation>
            <numerusform>%Ln 个字节另存于 {torn}。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s), {time}</source>
        <translation>
            <numerusform>%Ln 个事件，{time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) of this journal cannot be read</source>
        <translation>
            <numerusform>此日志有 %Ln 行无法读取</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s): {roles}</source>
        <translation>
            <numerusform>%Ln 条消息：{roles}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them could not be read before.</source>
        <translation>
            <numerusform>其中 %Ln 条以前无法读取。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other(s) are intact and shown.</source>
        <translation>
            <numerusform>其余 %Ln 条完好并已显示。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) of this session cannot be read</source>
        <translation>
            <numerusform>此会话有 %Ln 处无法读取</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) before it are intact and shown.</source>
        <translation>
            <numerusform>之前的 %Ln 条记录完好并已显示。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) will be kept, byte for byte. What belongs to none of them goes to {torn}, and the journal as it is now stays as a backup beside it.</source>
        <translation>
            <numerusform>将逐字节保留 %Ln 条记录。不属于任何记录的内容存入 {torn}，现在的日志作为备份留在旁边。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, and %n more</source>
        <translation>
            <numerusform>，以及另外 %Ln 处</numerusform>
        </translation>
    </message>
    <message>
        <source>A batch without its end: its events do not count</source>
        <translation>没有结尾的批次：其中的事件不计入</translation>
    </message>
    <message>
        <source>A message that was not written to its end</source>
        <translation>没有写完的消息</translation>
    </message>
    <message>
        <source>A record that is there a second time, byte for byte</source>
        <translation>逐字节重复的一条记录</translation>
    </message>
    <message>
        <source>A record that was not written to its end</source>
        <translation>一条未写完的记录</translation>
    </message>
    <message>
        <source>A record was cut off; the next one was written onto its line</source>
        <translation>一条记录被截断；下一条写到了它的行上</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy line</source>
        <translation>复制此行</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Event {n}, {kind}</source>
        <translation>事件 {n}，{kind}</translation>
    </message>
    <message>
        <source>Frame {n}</source>
        <translation>帧 {n}</translation>
    </message>
    <message>
        <source>Frame {n}, {kind}</source>
        <translation>帧 {n}，{kind}</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>It cannot be repaired: {why}. Nothing has been changed.</source>
        <translation>无法修复：{why}。没有做任何更改。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
    <message>
        <source>Line {n} of this journal cannot be read</source>
        <translation>此日志的第 {n} 行无法读取</translation>
    </message>
    <message>
        <source>Line {n}, as it is on disk</source>
        <translation>第 {n} 行，磁盘上的原样</translation>
    </message>
    <message>
        <source>Looking for what can be rescued…</source>
        <translation>正在查找可以挽救的内容…</translation>
    </message>
    <message>
        <source>Message {n}, {kind}</source>
        <translation>消息 {n}，{kind}</translation>
    </message>
    <message>
        <source>NUL bytes, as a power cut leaves them</source>
        <translation>NUL 字节，断电会留下这样的字节</translation>
    </message>
    <message>
        <source>Next damage</source>
        <translation>下一处损坏</translation>
    </message>
    <message>
        <source>Next record</source>
        <translation>下一条记录</translation>
    </message>
    <message>
        <source>No session is chosen</source>
        <translation>未选择会话</translation>
    </message>
    <message>
        <source>Position in the journal</source>
        <translation>日志中的位置</translation>
    </message>
    <message>
        <source>Previous record</source>
        <translation>上一条记录</translation>
    </message>
    <message>
        <source>Record {n}, {kind}</source>
        <translation>第 {n} 条记录，{kind}</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message numerus="yes">
        <source>Repair can keep %n whole record(s). Nothing has been changed.</source>
        <translation>
            <numerusform>修复可以保留 %Ln 条完整的记录。没有做任何更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>Repair this journal?</source>
        <translation>修复此日志？</translation>
    </message>
    <message>
        <source>Repairing…</source>
        <translation>正在修复…</translation>
    </message>
    <message>
        <source>Repair…</source>
        <translation>修复…</translation>
    </message>
    <message>
        <source>Seq</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Tenuto leaves the file as it is: only Reasonix itself writes it anew.</source>
        <translation>Tenuto 不改动该文件：只有 Reasonix 自己会重新写入它。</translation>
    </message>
    <message>
        <source>The beginning of {all}: more is not shown, but can be copied</source>
        <translation>{all} 的开头：其余不显示，但可以复制</translation>
    </message>
    <message>
        <source>The chosen record</source>
        <translation>所选记录</translation>
    </message>
    <message>
        <source>The first {part} of {all}</source>
        <translation>{all} 中的前 {part}</translation>
    </message>
    <message>
        <source>The journal as it was is {backup}.</source>
        <translation>原来的日志是 {backup}。</translation>
    </message>
    <message>
        <source>The journal could not be repaired</source>
        <translation>无法修复日志</translation>
    </message>
    <message numerus="yes">
        <source>The journal holds %n whole record(s).</source>
        <translation>
            <numerusform>日志包含 %Ln 条完整的记录。</numerusform>
        </translation>
    </message>
    <message>
        <source>The journal holds no records</source>
        <translation>日志中没有记录</translation>
    </message>
    <message>
        <source>The journal is repaired</source>
        <translation>日志已修复</translation>
    </message>
    <message>
        <source>The run is in use: a running run is never repaired</source>
        <translation>运行正在使用中：不会修复正在运行的运行</translation>
    </message>
    <message>
        <source>The session holds nothing yet</source>
        <translation>该会话还没有内容</translation>
    </message>
    <message>
        <source>There is nothing that a repair would change</source>
        <translation>没有修复会更改的内容</translation>
    </message>
    <message>
        <source>This journal ends in the middle of a record</source>
        <translation>此日志在一条记录的中间结束</translation>
    </message>
    <message>
        <source>This session ends too early</source>
        <translation>此会话过早结束</translation>
    </message>
    <message>
        <source>Turn {n}: </source>
        <translation>第 {n} 轮：</translation>
    </message>
    <message>
        <source>a whole record: Repair can put it on a line of its own and keep the cut-off bytes beside the journal</source>
        <translation>一条完整的记录：修复可以让它独占一行，并把被截断的字节保存在日志旁边</translation>
    </message>
    <message>
        <source>bytes {first} to {last}</source>
        <translation>字节 {first} 至 {last}</translation>
    </message>
    <message>
        <source>bytes {first} to {last}, frame {line}</source>
        <translation>字节 {first} 至 {last}，第 {line} 帧</translation>
    </message>
    <message>
        <source>bytes {first} to {last}, line {line}</source>
        <translation>字节 {first} 至 {last}，第 {line} 行</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>cannot be read: {why}</source>
        <translation>无法读取：{why}</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>被截断</translation>
    </message>
    <message numerus="yes">
        <source>cut off here, after %n byte(s)</source>
        <translation>
            <numerusform>在此被截断，%Ln 个字节之后</numerusform>
        </translation>
    </message>
    <message>
        <source>cut off here, after column {n}; a whole record follows on the same line</source>
        <translation>在此被截断，第 {n} 列之后；同一行后面是一条完整的记录</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>denied: </source>
        <translation>已拒绝：</translation>
    </message>
    <message>
        <source>exit {code}: </source>
        <translation>退出码 {code}：</translation>
    </message>
    <message>
        <source>failed: </source>
        <translation>失败：</translation>
    </message>
    <message>
        <source>frame {n}</source>
        <translation>帧 {n}</translation>
    </message>
    <message>
        <source>frame {n} of {all}</source>
        <translation>第 {n} 帧，共 {all} 帧</translation>
    </message>
    <message>
        <source>line {line}, byte {offset}: {message}</source>
        <translation>第 {line} 行，字节 {offset}：{message}</translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
    <message>
        <source>line {n} of {all}</source>
        <translation>第 {n} 行，共 {all} 行</translation>
    </message>
    <message>
        <source>message {n} of {all}</source>
        <translation>第 {n} 条消息，共 {all} 条</translation>
    </message>
    <message>
        <source>record {n}, a second time, byte for byte: Repair keeps one of them</source>
        <translation>第 {n} 条记录逐字节重复：修复保留其中一条</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>written by a newer version, not read</source>
        <translation>由较新版本写入，未读取</translation>
    </message>
    <message>
        <source>{before} records before it and {after} after it are intact and shown.</source>
        <translation>之前的 {before} 条和之后的 {after} 条记录完好并已显示。</translation>
    </message>
    <message>
        <source>{number}, {kind}, {holds}, {size} bytes</source>
        <translation>{number}，{kind}，{holds}，{size} 字节</translation>
    </message>
    <message>
        <source>{place}; {size} when unpacked</source>
        <translation>{place}；解压后 {size}</translation>
    </message>
</context>
<context>
    <name>ResumeFlow</name>
    <message>
        <source>Agent configurations (*.yaml *.yml)</source>
        <translation>代理配置 (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Choose the agent configuration of this run</source>
        <translation>选择此运行的代理配置</translation>
    </message>
    <message>
        <source>Enter closes this window. It ended with exit code</source>
        <translation>按 Enter 关闭此窗口。退出码：</translation>
    </message>
    <message>
        <source>Name yours in the settings. Nothing has been changed.</source>
        <translation>请在设置中指定终端。没有做任何更改。</translation>
    </message>
    <message>
        <source>No terminal could be opened</source>
        <translation>无法打开终端</translation>
    </message>
</context>
<context>
    <name>RunHeader</name>
    <message>
        <source>note: {text}</source>
        <translation>备注：{text}</translation>
    </message>
    <message>
        <source>started {time}</source>
        <translation>{time} 开始</translation>
    </message>
    <message>
        <source>{share} from cache</source>
        <translation>{share} 来自缓存</translation>
    </message>
</context>
<context>
    <name>Running</name>
    <message>
        <source>The run could not go on</source>
        <translation>运行无法继续</translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>(empty)</source>
        <translation>（空）</translation>
    </message>
    <message>
        <source>Abort</source>
        <translation>中止</translation>
    </message>
    <message>
        <source>Abort this run?</source>
        <translation>中止此运行？</translation>
    </message>
    <message>
        <source>Aborting…</source>
        <translation>正在中止…</translation>
    </message>
    <message>
        <source>Allow for this run</source>
        <translation>本次运行中允许</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>允许一次</translation>
    </message>
    <message>
        <source>Allow {tool} to run?</source>
        <translation>允许运行 {tool}？</translation>
    </message>
    <message>
        <source>Another program works on it: stop it where it runs</source>
        <translation>另一个程序正在处理它：请在其运行处停止</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Answer it in the terminal, or suspend the run and go on there.</source>
        <translation>在终端中回答，或暂停运行后在那里继续。</translation>
    </message>
    <message>
        <source>Asked for in record {seq}, turn {turn}</source>
        <translation>在第 {seq} 条记录、第 {turn} 轮中请求</translation>
    </message>
    <message>
        <source>Call 1 of {count} has its result and is kept</source>
        <translation>{count} 次调用中的第 1 次已有结果并保留</translation>
    </message>
    <message>
        <source>Call {rank} had not started</source>
        <translation>第 {rank} 次调用尚未开始</translation>
    </message>
    <message>
        <source>Call {rank} has none: it may have run, in part or whole</source>
        <translation>第 {rank} 次调用没有结果：它可能已部分或全部执行</translation>
    </message>
    <message>
        <source>Calls 1 to {n} of {count} have their results and are kept</source>
        <translation>{count} 次调用中的第 1 至 {n} 次已有结果并保留</translation>
    </message>
    <message>
        <source>Calls {first} to {last} had not started</source>
        <translation>第 {first} 至 {last} 次调用尚未开始</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Finish this step, then rest</source>
        <translation>完成此步骤后暂停</translation>
    </message>
    <message>
        <source>Follow up</source>
        <translation>追问</translation>
    </message>
    <message>
        <source>Follow up…</source>
        <translation>追问…</translation>
    </message>
    <message>
        <source>Gets no keys of the model</source>
        <translation>不会得到模型的密钥</translation>
    </message>
    <message>
        <source>Go to session</source>
        <translation>转到会话</translation>
    </message>
    <message>
        <source>Goes on without the window</source>
        <translation>不依赖窗口继续运行</translation>
    </message>
    <message>
        <source>It asks:</source>
        <translation>它在问：</translation>
    </message>
    <message>
        <source>It is worked on by another program.</source>
        <translation>另一个程序正在处理它。</translation>
    </message>
    <message>
        <source>It may have run, in part or whole</source>
        <translation>它可能已部分或全部执行</translation>
    </message>
    <message>
        <source>Its turn was recorded {when}</source>
        <translation>其轮次记录于 {when}</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Nothing of this step is written, and the run reads interrupted. Suspend lets it finish the step instead.</source>
        <translation>这一步不会写入任何内容，运行将显示为已中断。暂停则会让它完成这一步。</translation>
    </message>
    <message>
        <source>Nothing runs and nothing is written. The question stays open.</source>
        <translation>不执行也不写入任何内容。问题保持未决。</translation>
    </message>
    <message>
        <source>Nothing times out.</source>
        <translation>不会超时。</translation>
    </message>
    <message>
        <source>One command may already have run</source>
        <translation>有一条命令可能已经执行</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Reason (optional)</source>
        <translation>理由（可选）</translation>
    </message>
    <message>
        <source>Reason for the model</source>
        <translation>给模型的理由</translation>
    </message>
    <message>
        <source>Reason for the model (optional)</source>
        <translation>给模型的理由（可选）</translation>
    </message>
    <message>
        <source>Run it again</source>
        <translation>再次执行</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Runs as you, in</source>
        <translation>以您的身份运行，位于</translation>
    </message>
    <message>
        <source>Runs elsewhere</source>
        <translation>在别处运行</translation>
    </message>
    <message>
        <source>Scroll to the end of the command first</source>
        <translation>请先滚动到命令末尾</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Since this window set it to work</source>
        <translation>自此窗口启动它以来</translation>
    </message>
    <message>
        <source>Skip it and tell the model</source>
        <translation>跳过并告诉模型</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop at once; a running tool is killed</source>
        <translation>立即停止；正在运行的工具会被终止</translation>
    </message>
    <message>
        <source>Stop it where it runs.</source>
        <translation>请在其运行处停止。</translation>
    </message>
    <message>
        <source>Suspend</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Suspending…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>The application tags this tool</source>
        <translation>应用程序标记了此工具</translation>
    </message>
    <message>
        <source>The command, word by word</source>
        <translation>命令，逐词显示</translation>
    </message>
    <message>
        <source>The configuration asks before this tool</source>
        <translation>配置要求在使用此工具前询问</translation>
    </message>
    <message>
        <source>The configuration takes no such call any more: it cannot run again</source>
        <translation>该配置不再接受这样的调用：无法再次运行</translation>
    </message>
    <message>
        <source>The log cannot be read</source>
        <translation>无法读取日志</translation>
    </message>
    <message>
        <source>The model reads “outcome unknown” as the result and can look for itself.</source>
        <translation>模型读到的结果是“结果未知”，可以自行查看。</translation>
    </message>
    <message>
        <source>The model works; wait for its words</source>
        <translation>模型正在工作；请等待它的回答</translation>
    </message>
    <message>
        <source>The process that was at work is gone; this window holds the run</source>
        <translation>当时执行的进程已不在；现在由此窗口持有该运行</translation>
    </message>
    <message>
        <source>The question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>The run asks something</source>
        <translation>运行在提问</translation>
    </message>
    <message>
        <source>The run no longer asks. Nothing was allowed.</source>
        <translation>运行不再提问。没有允许任何操作。</translation>
    </message>
    <message>
        <source>The run stopped while it was at work, before a result was recorded.</source>
        <translation>运行在工作时停止，结果尚未记录。</translation>
    </message>
    <message>
        <source>The run was not suspended</source>
        <translation>运行没有暂停</translation>
    </message>
    <message>
        <source>The same command runs a second time, then call {rank}, then the run goes on.</source>
        <translation>同一命令再次执行，然后是第 {rank} 次调用，然后运行继续。</translation>
    </message>
    <message>
        <source>The same command runs a second time, then calls {first} to {last}, then the run goes on.</source>
        <translation>同一命令再次执行，然后是第 {first} 至 {last} 次调用，然后运行继续。</translation>
    </message>
    <message>
        <source>The same command runs a second time, then the run goes on.</source>
        <translation>同一命令再次执行，然后运行继续。</translation>
    </message>
    <message>
        <source>The system does not let it be told.</source>
        <translation>系统无法通知它。</translation>
    </message>
    <message>
        <source>The worker cannot be started: {reason}</source>
        <translation>无法启动工作进程：{reason}</translation>
    </message>
    <message>
        <source>The worker ended with exit code {code}.</source>
        <translation>工作进程以退出码 {code} 结束。</translation>
    </message>
    <message>
        <source>The worker was killed.</source>
        <translation>工作进程被终止。</translation>
    </message>
    <message>
        <source>Turn {turn}, call {rank} of {count}.</source>
        <translation>第 {turn} 轮，第 {rank} 次调用，共 {count} 次。</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等待您</translation>
    </message>
    <message>
        <source>Waiting for {time}; nothing times out.</source>
        <translation>已等待 {time}；不会超时。</translation>
    </message>
    <message>
        <source>Waits for your words</source>
        <translation>等待您的回复</translation>
    </message>
    <message>
        <source>Waits, and is answered where it runs</source>
        <translation>等待中，请在其运行处回答</translation>
    </message>
    <message>
        <source>What is known</source>
        <translation>已知情况</translation>
    </message>
    <message>
        <source>Why it asks</source>
        <translation>为何询问</translation>
    </message>
    <message>
        <source>Withdrawn</source>
        <translation>已撤回</translation>
    </message>
    <message>
        <source>Worker log of {name}</source>
        <translation>{name} 的工作进程日志</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %Ln 条</numerusform>
        </translation>
    </message>
    <message>
        <source>followed from its journal</source>
        <translation>根据其日志跟踪</translation>
    </message>
    <message>
        <source>process {pid}</source>
        <translation>进程 {pid}</translation>
    </message>
    <message>
        <source>since {time}</source>
        <translation>自 {time} 起</translation>
    </message>
    <message>
        <source>turn {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>turn {n} of {most}</source>
        <translation>第 {n} 轮，共 {most} 轮</translation>
    </message>
    <message>
        <source>{rank} of {count}</source>
        <translation>{rank} / {count}</translation>
    </message>
    <message>
        <source>{tool} is at work: it is killed, with all that it started.</source>
        <translation>{tool} 正在工作：它及其启动的一切都会被终止。</translation>
    </message>
    <message>
        <source>{used} of {whole} tokens</source>
        <translation>{used} / {whole} token</translation>
    </message>
    <message>
        <source>“{session}” asks.</source>
        <translation>“{session}” 在提问。</translation>
    </message>
</context>
<context>
    <name>SessionList</name>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>A path from / or ~ on is needed</source>
        <translation>需要以 / 或 ~ 开头的路径</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Choose Reasonix’s folder</source>
        <translation>选择 Reasonix 的文件夹</translation>
    </message>
    <message>
        <source>Choose a folder of runs</source>
        <translation>选择运行文件夹</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>No fading</source>
        <translation>不使用淡入效果</translation>
    </message>
    <message>
        <source>None was found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Only while the window is not in front; never what the run asks.</source>
        <translation>仅当窗口不在前台时；绝不显示运行所问的内容。</translation>
    </message>
    <message>
        <source>Reasonix folder</source>
        <translation>Reasonix 文件夹</translation>
    </message>
    <message>
        <source>Runs folder</source>
        <translation>运行文件夹</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Take keys, passwords and tokens out of exports</source>
        <translation>从导出中去除密钥、密码和令牌</translation>
    </message>
    <message>
        <source>Tell me on the desktop when a run ends or asks</source>
        <translation>运行结束或提问时在桌面上通知我</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>The settings could not be saved: {why}</source>
        <translation>无法保存设置：{why}</translation>
    </message>
    <message>
        <source>There is no folder {path} yet</source>
        <translation>文件夹 {path} 尚不存在</translation>
    </message>
    <message>
        <source>Use the system’s widget style</source>
        <translation>使用系统的控件样式</translation>
    </message>
</context>
<context>
    <name>Shell</name>
    <message>
        <source>A run is at work in this window.</source>
        <translation>此窗口中有运行正在工作。</translation>
    </message>
    <message>
        <source>This takes effect when Tenuto is opened next</source>
        <translation>下次打开 Tenuto 时生效</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message numerus="yes">
        <source>%n file(s) not shown</source>
        <translation>
            <numerusform>有 %Ln 个文件未显示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden by the filter</source>
        <translation>
            <numerusform>筛选隐藏了 %Ln 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preview(s) pending</source>
        <translation>
            <numerusform>有 %Ln 个预览待生成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%Ln 个运行中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%Ln 个等待中</numerusform>
        </translation>
    </message>
    <message>
        <source>No sessions</source>
        <translation>没有会话</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %Ln 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more folder(s)</source>
        <translation>
            <numerusform>和另外 %Ln 个文件夹</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} {dot} watching</source>
        <translation>{count} {dot} 正在监视</translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n session(s)</source>
        <translation>
            <numerusform>{shown} / %Ln 个会话</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Toolbar</name>
    <message>
        <source>More ways to resume</source>
        <translation>其他继续方式</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>A block of the provider's own: {kind}</source>
        <translation>提供方自有的内容块：{kind}</translation>
    </message>
    <message>
        <source>Added by the program</source>
        <translation>由程序添加</translation>
    </message>
    <message>
        <source>All prompts and errors</source>
        <translation>所有提示和错误</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>Completed{at}</source>
        <translation>已完成{at}</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy block</source>
        <translation>复制此块</translation>
    </message>
    <message>
        <source>Copy block as Markdown</source>
        <translation>将此块复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Cut off here, {bytes} bytes kept</source>
        <translation>在此被截断，保留了 {bytes} 字节</translation>
    </message>
    <message>
        <source>Export session</source>
        <translation>导出会话</translation>
    </message>
    <message>
        <source>Failed{at}</source>
        <translation>失败{at}</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find in output</source>
        <translation>在输出中查找</translation>
    </message>
    <message>
        <source>Find in transcript</source>
        <translation>在对话记录中查找</translation>
    </message>
    <message>
        <source>Find in transcript (Ctrl+F)</source>
        <translation>在对话记录中查找 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Follow-up: {text}</source>
        <translation>追问：{text}</translation>
    </message>
    <message>
        <source>Forced: {changes}</source>
        <translation>强制：{changes}</translation>
    </message>
    <message>
        <source>Fork from here…</source>
        <translation>从这里分叉…</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Interrupted: the journal ends at record {seq}, without a terminal record</source>
        <translation>已中断：日志在第 {seq} 条记录处结束，没有终止记录</translation>
    </message>
    <message>
        <source>Interrupted: the last turn has no end</source>
        <translation>已中断：最后一轮没有结束</translation>
    </message>
    <message>
        <source>It is no whole record: {reason}</source>
        <translation>不是完整的记录：{reason}</translation>
    </message>
    <message>
        <source>Iteration limit reached{at}</source>
        <translation>达到迭代上限{at}</translation>
    </message>
    <message>
        <source>Line {line} cannot be read</source>
        <translation>第 {line} 行无法读取</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>下一个 (Enter)</translation>
    </message>
    <message>
        <source>Next error</source>
        <translation>下一个错误</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Next prompt</source>
        <translation>下一个提示</translation>
    </message>
    <message>
        <source>Next prompt (Alt+Down)</source>
        <translation>下一个提示 (Alt+Down)</translation>
    </message>
    <message>
        <source>No prompt</source>
        <translation>无提示</translation>
    </message>
    <message>
        <source>No session is chosen</source>
        <translation>未选择会话</translation>
    </message>
    <message>
        <source>Not in this output</source>
        <translation>此输出中没有</translation>
    </message>
    <message>
        <source>Not in this transcript</source>
        <translation>此对话记录中没有</translation>
    </message>
    <message>
        <source>Not saved: {why}</source>
        <translation>未保存：{why}</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>打开链接…</translation>
    </message>
    <message>
        <source>Open {host} in your browser?</source>
        <translation>在浏览器中打开 {host}？</translation>
    </message>
    <message>
        <source>Open {link}…</source>
        <translation>打开 {link}…</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>上一个 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Previous error</source>
        <translation>上一个错误</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Previous prompt</source>
        <translation>上一个提示</translation>
    </message>
    <message>
        <source>Previous prompt (Alt+Up)</source>
        <translation>上一个提示 (Alt+Up)</translation>
    </message>
    <message>
        <source>Prompt: {text}</source>
        <translation>提示：{text}</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Reading {size}</source>
        <translation>正在读取 {size}</translation>
    </message>
    <message>
        <source>Record {seq} does not fit here</source>
        <translation>第 {seq} 条记录不适合此处</translation>
    </message>
    <message>
        <source>Result without its call</source>
        <translation>没有对应调用的结果</translation>
    </message>
    <message>
        <source>Resumed{at}</source>
        <translation>已继续{at}</translation>
    </message>
    <message>
        <source>Save output</source>
        <translation>保存输出</translation>
    </message>
    <message>
        <source>Saved to {path}</source>
        <translation>已保存到 {path}</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Show all {count} lines</source>
        <translation>显示全部 {count} 行</translation>
    </message>
    <message>
        <source>Show in Records</source>
        <translation>在记录中显示</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Summary of what came before</source>
        <translation>之前内容的摘要</translation>
    </message>
    <message>
        <source>Suspended{at} after record {seq}</source>
        <translation>已暂停{at}，第 {seq} 条记录之后</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>The journal holds no records</source>
        <translation>日志中没有记录</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Token budget used up{at}</source>
        <translation>token 预算已用完{at}</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>对话记录</translation>
    </message>
    <message>
        <source>Write to {host}?</source>
        <translation>写信给 {host}？</translation>
    </message>
    <message>
        <source>Written in journal version {found}; this Tenuto reads versions 1–{own}</source>
        <translation>以日志版本 {found} 写成；此 Tenuto 可读版本 1–{own}</translation>
    </message>
    <message>
        <source>another configuration</source>
        <translation>其他配置</translation>
    </message>
    <message>
        <source>byte {offset}, {size} bytes</source>
        <translation>字节 {offset}，{size} 字节</translation>
    </message>
    <message>
        <source>denied</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>exit {code}</source>
        <translation>退出码 {code}</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>iteration budget</source>
        <translation>迭代上限</translation>
    </message>
    <message>
        <source>kept by the provider, not in words</source>
        <translation>由提供方保存，没有文字</translation>
    </message>
    <message>
        <source>may have run, no result</source>
        <translation>可能已执行，没有结果</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>no prompt</source>
        <translation>没有提示</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>output cut by the tool</source>
        <translation>输出被工具截断</translation>
    </message>
    <message>
        <source>prompt {n} of {count}</source>
        <translation>提示 {n} / {count}</translation>
    </message>
    <message>
        <source>provider</source>
        <translation>提供方</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>running {time}</source>
        <translation>已运行 {time}</translation>
    </message>
    <message>
        <source>system prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>the first {shown} of {all} characters are shown</source>
        <translation>显示了 {all} 个字符中的前 {shown} 个</translation>
    </message>
    <message>
        <source>thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>token budget</source>
        <translation>token 预算</translation>
    </message>
    <message>
        <source>tool set</source>
        <translation>工具集</translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation>等待您</translation>
    </message>
    <message>
        <source>{count} new</source>
        <translation>{count} 条新内容</translation>
    </message>
    <message>
        <source>{field}: {saved} → {current}</source>
        <translation>{field}：{saved} → {current}</translation>
    </message>
    <message>
        <source>{rank} of {total}</source>
        <translation>{rank} / {total}</translation>
    </message>
    <message>
        <source>{what}: {why}</source>
        <translation>{what}：{why}</translation>
    </message>
</context>
<context>
    <name>TrashControl</name>
    <message numerus="yes">
        <source>%n session(s) could not be restored</source>
        <translation>
            <numerusform>有 %Ln 个会话无法还原</numerusform>
        </translation>
    </message>
    <message>
        <source>Not everything could be deleted for good</source>
        <translation>部分内容未能彻底删除</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Restore {id} under another id</source>
        <translation>以另一标识还原 {id}</translation>
    </message>
    <message numerus="yes">
        <source>Restored %n session(s)</source>
        <translation>
            <numerusform>已还原 %Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>The trash cannot be read</source>
        <translation>无法读取回收站</translation>
    </message>
    <message>
        <source>There is a session called {id} again. Both can be kept.</source>
        <translation>已又有名为 {id} 的会话。两者可以都保留。</translation>
    </message>
    <message>
        <source>To {path}</source>
        <translation>到 {path}</translation>
    </message>
</context>
<context>
    <name>TrashRow</name>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
</context>
<context>
    <name>TrashView</name>
    <message numerus="yes">
        <source>%n deleted session(s), kept until you empty it</source>
        <translation>
            <numerusform>%Ln 个已删除的会话，保留到您清空为止</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are in Reasonix's own trash.</source>
        <translation>
            <numerusform>其中 %Ln 个在 Reasonix 自己的回收站中。</numerusform>
        </translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>返回列表</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n session(s) for good?</source>
        <translation>
            <numerusform>永久删除 %Ln 个会话？</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>永久删除…</translation>
    </message>
    <message>
        <source>Delete “{name}” for good?</source>
        <translation>永久删除“{name}”？</translation>
    </message>
    <message>
        <source>Empty trash</source>
        <translation>清空回收站</translation>
    </message>
    <message>
        <source>Empty trash…</source>
        <translation>清空回收站…</translation>
    </message>
    <message>
        <source>No session is selected</source>
        <translation>未选中会话</translation>
    </message>
    <message>
        <source>Nothing here. What you delete waits here until you empty it.</source>
        <translation>这里什么也没有。您删除的内容会留在这里，直到您清空。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>The trash is emptied. There is no way back from this.</source>
        <translation>回收站将被清空，无法恢复。</translation>
    </message>
    <message>
        <source>The trash is empty</source>
        <translation>回收站是空的</translation>
    </message>
    <message>
        <source>There is no way back from this.</source>
        <translation>此操作无法恢复。</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
</context>
<context>
    <name>WaitingBar</name>
    <message numerus="yes">
        <source>%n session(s) wait for you</source>
        <translation>
            <numerusform>有 %Ln 个会话等待您</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}” waits for you</source>
        <translation>“{name}”在等待您</translation>
    </message>
</context>
<context>
    <name>WindowFrame</name>
    <message numerus="yes">
        <source>%n waiting for you – Tenuto</source>
        <translation>
            <numerusform>%Ln 个在等您 – Tenuto</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>actions</name>
    <message>
        <source>Abort</source>
        <translation>中止</translation>
    </message>
    <message>
        <source>About Tenuto</source>
        <translation>关于 Tenuto</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>返回列表</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Copy id</source>
        <translation>复制标识</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Copy resume command</source>
        <translation>复制继续命令</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete all shown…</source>
        <translation>删除所有显示的…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Filter sessions</source>
        <translation>筛选会话</translation>
    </message>
    <message>
        <source>Find in transcript</source>
        <translation>在对话记录中查找</translation>
    </message>
    <message>
        <source>Fork from here…</source>
        <translation>从这里分叉…</translation>
    </message>
    <message>
        <source>Forks below their session</source>
        <translation>将分支列在其来源会话之下</translation>
    </message>
    <message>
        <source>Fork…</source>
        <translation>分叉…</translation>
    </message>
    <message>
        <source>Go to the question</source>
        <translation>转到问题</translation>
    </message>
    <message>
        <source>Group by project</source>
        <translation>按项目分组</translation>
    </message>
    <message>
        <source>Group by source</source>
        <translation>按来源分组</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Menu bar</source>
        <translation>菜单栏</translation>
    </message>
    <message>
        <source>New run…</source>
        <translation>新建运行…</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>备注…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open an exported session…</source>
        <translation>打开导出的会话…</translation>
    </message>
    <message>
        <source>Open in terminal</source>
        <translation>在终端中打开</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Resume with a message…</source>
        <translation>带消息继续…</translation>
    </message>
    <message>
        <source>Resume with force…</source>
        <translation>强制继续…</translation>
    </message>
    <message>
        <source>Reveal in file manager</source>
        <translation>在文件管理器中显示</translation>
    </message>
    <message>
        <source>Run again…</source>
        <translation>再次运行…</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Show all sessions</source>
        <translation>显示所有会话</translation>
    </message>
    <message>
        <source>Suspend</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>对话记录</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Undo delete</source>
        <translation>撤销删除</translation>
    </message>
    <message>
        <source>Worker log…</source>
        <translation>工作进程日志…</translation>
    </message>
</context>
<context>
    <name>app</name>
    <message numerus="yes">
        <source>%n setting(s) could not be used</source>
        <translation>
            <numerusform>有 %Ln 项设置无法使用</numerusform>
        </translation>
    </message>
    <message>
        <source>Tenuto is open already, but that window does not answer</source>
        <translation>Tenuto 已经打开，但那个窗口没有响应</translation>
    </message>
    <message>
        <source>This is a second window. A run is never worked on by both of them.</source>
        <translation>这是第二个窗口。两个窗口绝不会同时处理同一个运行。</translation>
    </message>
    <message>
        <source>process {pid}</source>
        <translation>进程 {pid}</translation>
    </message>
</context>
<context>
    <name>budget</name>
    <message>
        <source>One more call of the model would end the run again.</source>
        <translation>再调用一次模型就会再次结束运行。</translation>
    </message>
    <message>
        <source>Raise {key} in {path}, then resume with force.</source>
        <translation>在 {path} 中提高 {key}，然后强制继续。</translation>
    </message>
    <message>
        <source>Resume all the same</source>
        <translation>仍然继续</translation>
    </message>
    <message>
        <source>The iteration budget is used up: {used} of {limit}</source>
        <translation>迭代上限已用完：{used} / {limit}</translation>
    </message>
    <message>
        <source>The run would end again without a call.</source>
        <translation>运行会不经调用再次结束。</translation>
    </message>
    <message>
        <source>The token budget is used up: {used} of {limit}</source>
        <translation>token 预算已用完：{used} / {limit}</translation>
    </message>
</context>
<context>
    <name>bulk</name>
    <message numerus="yes">
        <source>%n session(s) at work will stay.</source>
        <translation>
            <numerusform>%Ln 个正在工作的会话保持不动。</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n session(s)?</source>
        <translation>
            <numerusform>删除 %Ln 个会话？</numerusform>
        </translation>
    </message>
    <message>
        <source>They go to the trash; one undo brings them back.</source>
        <translation>它们会移到回收站；撤销一次即可恢复。</translation>
    </message>
</context>
<context>
    <name>closing</name>
    <message numerus="yes">
        <source>%n run(s) at work</source>
        <translation>
            <numerusform>%Ln 个运行正在工作</numerusform>
        </translation>
    </message>
    <message>
        <source>Leave running</source>
        <translation>让其继续运行</translation>
    </message>
    <message>
        <source>Suspend and quit</source>
        <translation>暂停并退出</translation>
    </message>
    <message>
        <source>Suspend: each finishes the step it is at, and can be resumed.
Leave running: each goes on without a window; what it asks is denied, as nobody is there, and a chat suspends.</source>
        <translation>暂停：各自完成当前步骤，之后可以继续。
让其继续运行：各自在没有窗口的情况下继续；由于无人在场，提问会被拒绝，聊天会暂停。</translation>
    </message>
    <message numerus="yes">
        <source>Suspending %n run(s)</source>
        <translation>
            <numerusform>正在暂停 %Ln 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>The session ends. They can be resumed when it begins again.</source>
        <translation>会话即将结束。再次登录后可以恢复它们。</translation>
    </message>
    <message>
        <source>The window closes when they have finished their step. Close it again to leave now; they suspend all the same.</source>
        <translation>它们完成当前步骤后窗口会关闭。再次关闭可立即离开；它们同样会暂停。</translation>
    </message>
</context>
<context>
    <name>commands</name>
    <message>
        <source>The command ended with exit code {code}.</source>
        <translation>该命令以退出码 {code} 结束。</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>',' or '{end}' is expected here</source>
        <translation>此处应为“,”或“{end}”</translation>
    </message>
    <message>
        <source>':' is expected here</source>
        <translation>此处应为“:”</translation>
    </message>
    <message>
        <source>'commands'</source>
        <translation>键“commands”</translation>
    </message>
    <message>
        <source>'mcp_servers'</source>
        <translation>键“mcp_servers”</translation>
    </message>
    <message>
        <source>--fisk-introspect failed with {how}</source>
        <translation>--fisk-introspect 失败（{how}）</translation>
    </message>
    <message>
        <source>--fisk-introspect failed with {how}: {words}</source>
        <translation>--fisk-introspect 失败（{how}）：{words}</translation>
    </message>
    <message>
        <source>FIFO</source>
        <translation>管道</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名太长</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>Invalid \escape</source>
        <translation>转义无效</translation>
    </message>
    <message>
        <source>Invalid \uXXXX escape</source>
        <translation>\uXXXX 转义无效</translation>
    </message>
    <message>
        <source>Invalid control character</source>
        <translation>控制字符无效</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是一个文件夹</translation>
    </message>
    <message>
        <source>Looking for changes every {seconds} s: {reason}.</source>
        <translation>每 {seconds} 秒查看一次变化：{reason}。</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备上没有剩余空间</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是文件夹</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>不允许此操作</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>只读文件系统</translation>
    </message>
    <message>
        <source>Tenuto has no provider of the kind {kind!r}</source>
        <translation>Tenuto 没有“{kind}”这一类提供方</translation>
    </message>
    <message>
        <source>Tenuto itself</source>
        <translation>Tenuto 自身</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>符号链接层数过多</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件过多</translation>
    </message>
    <message>
        <source>Unterminated string</source>
        <translation>字符串没有结束</translation>
    </message>
    <message>
        <source>`tenuto session doctor {id}` tells what can be saved</source>
        <translation>`tenuto session doctor {id}` 会说明能挽救什么</translation>
    </message>
    <message>
        <source>`tenuto session doctor` tells what can be saved</source>
        <translation>`tenuto session doctor` 会说明能挽救什么</translation>
    </message>
    <message>
        <source>`tenuto session fork {id} --at SEQ` makes a run of its records up to one, and `tenuto resume --say TEXT` goes on with that</source>
        <translation>`tenuto session fork {id} --at SEQ` 用到某一条为止的记录建立新的运行，再用 `tenuto resume --say TEXT` 继续</translation>
    </message>
    <message>
        <source>`{command}` may have run before the interruption, its outcome is unknown: it is not run, and the model is told so</source>
        <translation>`{command}` 可能在中断前已经执行，结果未知：不再执行，并告知模型</translation>
    </message>
    <message>
        <source>`{command}` may have run before the interruption, its outcome is unknown: it is read-only, and it runs again</source>
        <translation>`{command}` 可能在中断前已经执行，结果未知：它是只读的，将再次执行</translation>
    </message>
    <message>
        <source>`{command}` may have run before the interruption, its outcome is unknown: it is read-only, and it runs again if it is allowed</source>
        <translation>`{command}` 可能在中断前已经执行，结果未知：它是只读的，获准后将再次执行</translation>
    </message>
    <message>
        <source>`{command}` may have run before the interruption, its outcome is unknown: it runs again</source>
        <translation>`{command}` 可能在中断前已经执行，结果未知：将再次执行</translation>
    </message>
    <message>
        <source>`{command}` may have run before the interruption, its outcome is unknown: it runs again if it is allowed</source>
        <translation>`{command}` 可能在中断前已经执行，结果未知：获准后将再次执行</translation>
    </message>
    <message>
        <source>`{command}` may have run before the interruption; --rerun runs it again, --skip tells the model that its outcome is unknown</source>
        <translation>`{command}` 可能在中断前已经执行；--rerun 会再次执行，--skip 会告知模型其结果未知</translation>
    </message>
    <message>
        <source>`{command}` may have run before the interruption; it runs again only when it is allowed, and nobody can be asked here: resume it in a terminal or in the window, or --skip tells the model that its outcome is unknown</source>
        <translation>`{command}` 可能在中断前已经执行；只有获准才会再次执行，而这里无人可问：请在终端或窗口中继续，或用 --skip 告知模型其结果未知</translation>
    </message>
    <message>
        <source>a 'tenuto' key and {file} beside the file: only one of them can hold Tenuto's own keys</source>
        <translation>既有“tenuto”键，旁边又有 {file}：Tenuto 自己的键只能放在其中一处</translation>
    </message>
    <message>
        <source>a JSON value is expected here</source>
        <translation>此处应为一个 JSON 值</translation>
    </message>
    <message>
        <source>a Reasonix session holds no configuration to compare with</source>
        <translation>Reasonix 会话不含可供比较的配置</translation>
    </message>
    <message>
        <source>a Reasonix session holds no configuration to go against</source>
        <translation>Reasonix 会话不含可被强制更改的配置</translation>
    </message>
    <message>
        <source>a batch that is not what was written: its checksum differs</source>
        <translation>批次与写入时不同：其校验和不一致</translation>
    </message>
    <message>
        <source>a batch without an end</source>
        <translation>没有结束的批次</translation>
    </message>
    <message>
        <source>a byte order mark before the first record</source>
        <translation>第一条记录之前有字节顺序标记</translation>
    </message>
    <message>
        <source>a call of `{command}` may have run before the interruption, and the configuration takes no such call any more, so it cannot run again; --skip tells the model that its outcome is unknown</source>
        <translation>`{command}` 的一次调用可能在中断前已经执行，而配置已不再接受这样的调用，因此无法再次执行；--skip 会告知模型其结果未知</translation>
    </message>
    <message>
        <source>a content block has no type</source>
        <translation>内容块没有类型</translation>
    </message>
    <message>
        <source>a key in double quotes is expected here</source>
        <translation>此处应为双引号中的键</translation>
    </message>
    <message>
        <source>a key must be a plain text</source>
        <translation>键必须是普通文本</translation>
    </message>
    <message>
        <source>a merge key takes a mapping</source>
        <translation>合并键需要一个映射</translation>
    </message>
    <message>
        <source>a network file system ({kind}) sends no events</source>
        <translation>网络文件系统（{kind}）不发送事件</translation>
    </message>
    <message>
        <source>a raw control character U+{code}, which YAML forbids: write it as an escape in double quotes</source>
        <translation>有未转义的控制字符 U+{code}，YAML 不允许：请在双引号中写成转义形式</translation>
    </message>
    <message>
        <source>a record of {count} bytes is too long to be read again</source>
        <translation>{count} 字节的记录太长，无法再读取</translation>
    </message>
    <message>
        <source>a run begins with a meta record, not with {kind}</source>
        <translation>运行以 meta 记录开始，而不是 {kind}</translation>
    </message>
    <message>
        <source>a second document: a configuration is one YAML document</source>
        <translation>有第二个文档：一份配置只是一个 YAML 文档</translation>
    </message>
    <message>
        <source>a time limit must be above 0</source>
        <translation>时限必须大于 0</translation>
    </message>
    <message>
        <source>a whole record stands behind a torn one, as another program appended it</source>
        <translation>不完整的记录后面有一条完整的记录，是另一个程序追加的</translation>
    </message>
    <message>
        <source>after {idle_minutes} minutes at rest {results} old tool results were taken out; they are kept in {archive}</source>
        <translation>闲置 {idle_minutes} 分钟后，取出了 {results} 个旧的工具结果；它们保存在 {archive}</translation>
    </message>
    <message>
        <source>an event outside of a batch</source>
        <translation>批次之外的事件</translation>
    </message>
    <message>
        <source>an event whose content cannot be decoded: {reason}</source>
        <translation>无法解读其内容的事件：{reason}</translation>
    </message>
    <message>
        <source>an incomplete record at the journal's end was set aside</source>
        <translation>日志末尾不完整的记录已放到一边</translation>
    </message>
    <message>
        <source>an incomplete record of {size} bytes at the end of the file</source>
        <translation>文件末尾有一条 {size} 字节的不完整记录</translation>
    </message>
    <message>
        <source>another process</source>
        <translation>另一个进程</translation>
    </message>
    <message>
        <source>another program wrote to run {id} in spite of the lock: {found} bytes instead of {expected}</source>
        <translation>另一个程序无视锁写入了运行 {id}：现有 {found} 字节，应为 {expected} 字节</translation>
    </message>
    <message>
        <source>byte {offset}: {reason}</source>
        <translation>第 {offset} 字节：{reason}</translation>
    </message>
    <message>
        <source>byte {offset}: {reason} (after {index} messages)</source>
        <translation>第 {offset} 字节：{reason}（在 {index} 条消息之后）</translation>
    </message>
    <message>
        <source>cannot be read: {reason}</source>
        <translation>无法读取：{reason}</translation>
    </message>
    <message>
        <source>cannot be started: {reason}</source>
        <translation>无法启动：{reason}</translation>
    </message>
    <message>
        <source>cannot be used: {reason}</source>
        <translation>无法使用：{reason}</translation>
    </message>
    <message>
        <source>cannot create a run in {path}: {reason} ({name})</source>
        <translation>无法在 {path} 中建立运行：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot create {path}: {reason} ({name})</source>
        <translation>无法建立 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot delete {path}: {reason} ({name})</source>
        <translation>无法删除 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot empty {path}: {reason} ({name})</source>
        <translation>无法清空 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot export {path}: {reason} ({name})</source>
        <translation>无法导出 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot list {path}: {reason} ({name})</source>
        <translation>无法列出 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot lock {path}: it is replaced again and again</source>
        <translation>无法锁定 {path}：它一再被替换</translation>
    </message>
    <message>
        <source>cannot lock {path}: {reason}</source>
        <translation>无法锁定 {path}：{reason}</translation>
    </message>
    <message>
        <source>cannot lock {path}: {reason} ({name})</source>
        <translation>无法锁定 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot look at {path}: {reason} ({name})</source>
        <translation>无法查看 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot make a sample in {path}: {reason} ({name})</source>
        <translation>无法在 {path} 中制作示例：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot make durable {path}: {reason} ({name})</source>
        <translation>无法把 {path} 可靠地写到磁盘：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot make samples in {path}: {reason} ({name})</source>
        <translation>无法在 {path} 中制作示例：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot make the demo in {path}: {reason} ({name})</source>
        <translation>无法在 {path} 中制作演示：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot move to the trash: {path}: {reason} ({name})</source>
        <translation>无法把 {path} 移到回收站：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot open the trash {path}: {reason} ({name})</source>
        <translation>无法打开回收站 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot open {path}: {reason}</source>
        <translation>无法打开 {path}：{reason}</translation>
    </message>
    <message>
        <source>cannot open {path}: {reason} ({name})</source>
        <translation>无法打开 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot purge {path}: {reason} ({name})</source>
        <translation>无法永久删除 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot read the script: {reason}</source>
        <translation>无法读取脚本：{reason}</translation>
    </message>
    <message>
        <source>cannot read this value as a string</source>
        <translation>无法把此值读作字符串</translation>
    </message>
    <message>
        <source>cannot read this value as an array</source>
        <translation>无法把此值读作数组</translation>
    </message>
    <message>
        <source>cannot read this value as true or false</source>
        <translation>无法把此值读作 true 或 false</translation>
    </message>
    <message>
        <source>cannot read {path}: {reason}</source>
        <translation>无法读取 {path}：{reason}</translation>
    </message>
    <message>
        <source>cannot read {path}: {reason} ({name})</source>
        <translation>无法读取 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot read {shown} as an RFC 3339 time</source>
        <translation>无法把 {shown} 读作 RFC 3339 时间</translation>
    </message>
    <message>
        <source>cannot read {shown} as an integer</source>
        <translation>无法把 {shown} 读作整数</translation>
    </message>
    <message>
        <source>cannot read {shown} as an object</source>
        <translation>无法把 {shown} 读作对象</translation>
    </message>
    <message>
        <source>cannot repair {path}: {reason} ({name})</source>
        <translation>无法修复 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot restore {path}: {reason} ({name})</source>
        <translation>无法恢复 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot save {path}: {reason} ({name})</source>
        <translation>无法保存 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot sweep {path}: {reason} ({name})</source>
        <translation>无法清理 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot write {path}: {reason} ({name})</source>
        <translation>无法写入 {path}：{reason}（{name}）</translation>
    </message>
    <message>
        <source>cannot write {path}: {written} of {wanted} bytes written, {reason}</source>
        <translation>无法写入 {path}：只写入了 {wanted} 字节中的 {written} 字节，{reason}</translation>
    </message>
    <message>
        <source>decode {path}: {reason} (line {line}, byte {offset}, after {index} messages)</source>
        <translation>无法解读 {path}：{reason}（第 {line} 行，第 {offset} 字节，在 {index} 条消息之后）</translation>
    </message>
    <message>
        <source>default_model names {wanted!r}, which no provider has</source>
        <translation>default_model 指定了“{wanted}”，但没有提供方有它</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备文件</translation>
    </message>
    <message>
        <source>did not answer --fisk-introspect in {timeout} s</source>
        <translation>在 {timeout} 秒内没有回应 --fisk-introspect</translation>
    </message>
    <message>
        <source>did not end in {timeout} s</source>
        <translation>在 {timeout} 秒内没有结束</translation>
    </message>
    <message>
        <source>disk full at {mount}, unknown bytes free</source>
        <translation>{mount} 上的磁盘已满，剩余空间未知</translation>
    </message>
    <message>
        <source>disk full at {mount}, {free} bytes free</source>
        <translation>{mount} 上的磁盘已满，剩余 {free} 字节</translation>
    </message>
    <message>
        <source>disk quota used up at {mount}</source>
        <translation>{mount} 上的磁盘配额已用完</translation>
    </message>
    <message>
        <source>duplicate meta at seq {seq}</source>
        <translation>在 seq {seq} 处重复出现 meta</translation>
    </message>
    <message>
        <source>event log</source>
        <translation>事件日志</translation>
    </message>
    <message>
        <source>exceeded max depth</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>exit code {code}</source>
        <translation>退出码 {code}</translation>
    </message>
    <message>
        <source>expose is accepted and not acted on: Tenuto serves no tools to others</source>
        <translation>expose 会被接受但不起作用：Tenuto 不向他方提供工具</translation>
    </message>
    <message>
        <source>field required</source>
        <translation>缺少此键</translation>
    </message>
    <message>
        <source>file of another owner</source>
        <translation>其他用户的文件</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>global_flags needs application_path: they are flags of that application</source>
        <translation>global_flags 需要 application_path：它们是该应用程序的标志</translation>
    </message>
    <message>
        <source>global_flags: the application has no flag {name}</source>
        <translation>global_flags：应用程序没有标志 {name}</translation>
    </message>
    <message>
        <source>global_flags: the application has no flag {name} (it has: {choices})</source>
        <translation>global_flags：应用程序没有标志 {name}（有：{choices}）</translation>
    </message>
    <message>
        <source>global_flags: {name} is hidden or belongs to the framework and cannot be shown to the model</source>
        <translation>global_flags：{name} 是隐藏的或属于框架，不能展示给模型</translation>
    </message>
    <message>
        <source>harness.knowledge adds tools and a note to the prompt: they are not part of what Tenuto runs yet, so this fingerprint is not the one that fisk-ai journals</source>
        <translation>harness.knowledge 会给提示加上工具和说明：Tenuto 尚不运行这些，因此此指纹与 fisk-ai 写入日志的不同</translation>
    </message>
    <message>
        <source>holds a NUL</source>
        <translation>含有 NUL 字符</translation>
    </message>
    <message>
        <source>identity may hold only letters, digits, '-' and '_'</source>
        <translation>identity 只能含字母、数字、“-”和“_”</translation>
    </message>
    <message>
        <source>illegal base64 data</source>
        <translation>base64 数据无效</translation>
    </message>
    <message>
        <source>in {file}: {what}</source>
        <translation>在 {file} 中：{what}</translation>
    </message>
    <message>
        <source>include and exclude select nothing without application_path</source>
        <translation>没有 application_path 时，include 和 exclude 不选择任何东西</translation>
    </message>
    <message>
        <source>input should be a finite number</source>
        <translation>应为有限的数</translation>
    </message>
    <message>
        <source>input should be a valid boolean</source>
        <translation>应为布尔值</translation>
    </message>
    <message>
        <source>input should be a valid boolean, unable to interpret input</source>
        <translation>应为布尔值，无法解读所给的值</translation>
    </message>
    <message>
        <source>input should be a valid dictionary</source>
        <translation>应为映射</translation>
    </message>
    <message>
        <source>input should be a valid dictionary or instance of {class_name}</source>
        <translation>应为映射（{class_name}）</translation>
    </message>
    <message>
        <source>input should be a valid integer</source>
        <translation>应为整数</translation>
    </message>
    <message>
        <source>input should be a valid integer, unable to parse string as an integer</source>
        <translation>应为整数，无法把文本解读为整数</translation>
    </message>
    <message>
        <source>input should be a valid number</source>
        <translation>应为数字</translation>
    </message>
    <message>
        <source>input should be a valid number, unable to parse string as a number</source>
        <translation>应为数字，无法把文本解读为数字</translation>
    </message>
    <message>
        <source>input should be a valid string</source>
        <translation>应为文本</translation>
    </message>
    <message>
        <source>input should be a valid tuple</source>
        <translation>应为列表</translation>
    </message>
    <message>
        <source>input should be greater than or equal to {ge}</source>
        <translation>应大于或等于 {ge}</translation>
    </message>
    <message>
        <source>input should be greater than {gt}</source>
        <translation>应大于 {gt}</translation>
    </message>
    <message>
        <source>invalid character {shown} after a value</source>
        <translation>值之后有无效的字符 {shown}</translation>
    </message>
    <message>
        <source>invalid character {shown} after an object key</source>
        <translation>对象的键之后有无效的字符 {shown}</translation>
    </message>
    <message>
        <source>invalid character {shown} after array element</source>
        <translation>数组元素之后有无效的字符 {shown}</translation>
    </message>
    <message>
        <source>invalid character {shown} after object key:value pair</source>
        <translation>对象的键值对之后有无效的字符 {shown}</translation>
    </message>
    <message>
        <source>invalid character {shown} after the value</source>
        <translation>值结束后有无效的字符 {shown}</translation>
    </message>
    <message>
        <source>invalid character {shown} looking for a string</source>
        <translation>应为字符串，却有无效的字符 {shown}</translation>
    </message>
    <message>
        <source>invalid character {shown} looking for a value</source>
        <translation>应为值，却有无效的字符 {shown}</translation>
    </message>
    <message>
        <source>is no regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>is not JSON: {reason}</source>
        <translation>不是 JSON：{reason}</translation>
    </message>
    <message>
        <source>is not a JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>is not a program that can be run ({found})</source>
        <translation>不是可以运行的程序（{found}）</translation>
    </message>
    <message>
        <source>is not an absolute path</source>
        <translation>不是绝对路径</translation>
    </message>
    <message>
        <source>is not found on PATH</source>
        <translation>在 PATH 中找不到</translation>
    </message>
    <message>
        <source>is not there ({found})</source>
        <translation>不存在（{found}）</translation>
    </message>
    <message>
        <source>it goes on in Tenuto</source>
        <translation>它在 Tenuto 中继续</translation>
    </message>
    <message>
        <source>it has more than {most} tools</source>
        <translation>它有超过 {most} 个工具</translation>
    </message>
    <message>
        <source>it has no {manifest}</source>
        <translation>其中没有 {manifest}</translation>
    </message>
    <message>
        <source>it holds a session of {other}, not {source}</source>
        <translation>其中是 {other} 的会话，而不是 {source} 的</translation>
    </message>
    <message>
        <source>it holds everything the session has, secrets too</source>
        <translation>其中包含会话的全部内容，也包括机密</translation>
    </message>
    <message>
        <source>it holds more than {most} files</source>
        <translation>其中的文件超过 {most} 个</translation>
    </message>
    <message>
        <source>it is completed</source>
        <translation>它已完成</translation>
    </message>
    <message>
        <source>it is in use by another process</source>
        <translation>另一个进程正在使用它</translation>
    </message>
    <message>
        <source>it is in use by process {pid}</source>
        <translation>进程 {pid} 正在使用它</translation>
    </message>
    <message>
        <source>it is no zip file, or is cut off</source>
        <translation>它不是 zip 文件，或者不完整</translation>
    </message>
    <message>
        <source>it is of format {number}; this program reads formats up to {format}</source>
        <translation>它的格式是 {number}；此程序最多读到格式 {format}</translation>
    </message>
    <message>
        <source>it is open in {who}</source>
        <translation>它在{who}中打开着</translation>
    </message>
    <message>
        <source>it is still being read</source>
        <translation>仍在读取</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>它太大</translation>
    </message>
    <message>
        <source>it names no model: there is no default_model and no provider with one</source>
        <translation>没有指定模型：既没有 default_model，也没有带模型的提供方</translation>
    </message>
    <message>
        <source>it was not ready within {seconds} seconds</source>
        <translation>它在 {seconds} 秒内没有就绪</translation>
    </message>
    <message>
        <source>it would unpack to {total} bytes from {packed}</source>
        <translation>它会从 {packed} 字节展开为 {total} 字节</translation>
    </message>
    <message>
        <source>iteration budget ({max_iterations}) exhausted</source>
        <translation>迭代预算（{max_iterations}）已用完</translation>
    </message>
    <message>
        <source>its event log</source>
        <translation>它的事件日志</translation>
    </message>
    <message>
        <source>its parts are not where it says</source>
        <translation>其各部分不在它所说的位置</translation>
    </message>
    <message>
        <source>its v4 store</source>
        <translation>它的 v4 存储</translation>
    </message>
    <message>
        <source>its {manifest} does not name what it holds: {names}</source>
        <translation>其 {manifest} 与内容不符：{names}</translation>
    </message>
    <message>
        <source>its {manifest} is too large</source>
        <translation>其 {manifest} 太大</translation>
    </message>
    <message>
        <source>its {manifest} makes no sense: no id of a run</source>
        <translation>其 {manifest} 无法解读：没有运行的 id</translation>
    </message>
    <message>
        <source>its {manifest} makes no sense: {reason}</source>
        <translation>其 {manifest} 无法解读：{reason}</translation>
    </message>
    <message>
        <source>line {line} (byte {offset}): {reason}</source>
        <translation>第 {line} 行（第 {offset} 字节）：{reason}</translation>
    </message>
    <message>
        <source>line {line}, byte {offset}: {reason} (after {index} messages)</source>
        <translation>第 {line} 行，第 {offset} 字节：{reason}（在 {index} 条消息之后）</translation>
    </message>
    <message>
        <source>longer than {most} bytes</source>
        <translation>超过 {most} 字节</translation>
    </message>
    <message>
        <source>merge keys nested too deeply</source>
        <translation>合并键嵌套过深</translation>
    </message>
    <message>
        <source>model reply truncated at the output token limit; the answer is incomplete</source>
        <translation>模型的回复在输出 token 上限处被截断；答案不完整</translation>
    </message>
    <message>
        <source>must be a JSON schema of type object</source>
        <translation>必须是类型为 object 的 JSON schema</translation>
    </message>
    <message>
        <source>must begin with http:// or https:// and name a host</source>
        <translation>必须以 http:// 或 https:// 开头并指明主机</translation>
    </message>
    <message>
        <source>must have a command or a url, and not both</source>
        <translation>必须有 command 或 url 之一，且不能两者都有</translation>
    </message>
    <message>
        <source>must not hold a user name or password</source>
        <translation>不得含有用户名或密码</translation>
    </message>
    <message>
        <source>nats_context is accepted and not used: Tenuto does not connect to NATS yet</source>
        <translation>nats_context 会被接受但不使用：Tenuto 尚不连接 NATS</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>new runs are of version {own}, not {version}</source>
        <translation>新的运行是版本 {own}，而不是 {version}</translation>
    </message>
    <message>
        <source>no anchor {anchor!r} before this alias</source>
        <translation>此别名之前没有锚点“{anchor}”</translation>
    </message>
    <message>
        <source>no folder {parent}</source>
        <translation>没有文件夹 {parent}</translation>
    </message>
    <message>
        <source>no key for the model: set {variable} in the environment or in {file}, or keep it in the system's keyring (keyring set {service} {variable})</source>
        <translation>没有模型的密钥：请在环境变量或 {file} 中设置 {variable}，或保存在系统的密钥环中（keyring set {service} {variable}）</translation>
    </message>
    <message>
        <source>no key for the model: set {variable} in the environment, or keep it in the system's keyring (keyring set {service} {variable})</source>
        <translation>没有模型的密钥：请在环境变量中设置 {variable}，或保存在系统的密钥环中（keyring set {service} {variable}）</translation>
    </message>
    <message>
        <source>no records</source>
        <translation>没有记录</translation>
    </message>
    <message>
        <source>no run {id} in {directory}</source>
        <translation>{directory} 中没有运行 {id}</translation>
    </message>
    <message>
        <source>no run {id} in {path}</source>
        <translation>{path} 中没有运行 {id}</translation>
    </message>
    <message>
        <source>not TOML: {reason}</source>
        <translation>不是 TOML：{reason}</translation>
    </message>
    <message>
        <source>not a file of a run: {path}</source>
        <translation>不是运行的文件：{path}</translation>
    </message>
    <message>
        <source>not a file of a run: {path} is a {what}</source>
        <translation>不是运行的文件：{path} 是{what}</translation>
    </message>
    <message>
        <source>not a file: {path}</source>
        <translation>不是文件：{path}</translation>
    </message>
    <message>
        <source>not a folder: {path}</source>
        <translation>不是文件夹：{path}</translation>
    </message>
    <message>
        <source>not a message: {reason}</source>
        <translation>不是消息：{reason}</translation>
    </message>
    <message>
        <source>not a record of a session</source>
        <translation>不是会话的记录</translation>
    </message>
    <message>
        <source>not a record: {reason} (byte {at} of the line)</source>
        <translation>不是记录：{reason}（该行第 {at} 字节）</translation>
    </message>
    <message>
        <source>not a regular expression (RE2): {fault}</source>
        <translation>不是正则表达式（RE2）：{fault}</translation>
    </message>
    <message>
        <source>not a run id: {shown} (letters, digits, '-' and '_', beginning with a letter or digit)</source>
        <translation>不是运行 id：{shown}（可用字母、数字、“-”和“_”，以字母或数字开头）</translation>
    </message>
    <message>
        <source>not a run id: {shown} has {count} characters, at most {most}</source>
        <translation>不是运行 id：{shown} 有 {count} 个字符，最多 {most} 个</translation>
    </message>
    <message>
        <source>not a run's journal: {word} (they are called ID.json)</source>
        <translation>不是运行的日志：{word}（日志名为 ID.json）</translation>
    </message>
    <message>
        <source>not a script: {reason}</source>
        <translation>不是脚本：{reason}</translation>
    </message>
    <message>
        <source>not a session: {path} is a {what}</source>
        <translation>不是会话：{path} 是{what}</translation>
    </message>
    <message>
        <source>not valid YAML: {reason}</source>
        <translation>不是有效的 YAML：{reason}</translation>
    </message>
    <message>
        <source>nothing in the trash is called {token}</source>
        <translation>回收站中没有名为 {token} 的项目</translation>
    </message>
    <message>
        <source>nothing in the trash is called {word}</source>
        <translation>回收站中没有名为 {word} 的项目</translation>
    </message>
    <message>
        <source>nothing more is written to run {id} after a failure: {what}</source>
        <translation>失败之后不再写入运行 {id}：{what}</translation>
    </message>
    <message>
        <source>nothing to resume</source>
        <translation>没有可继续的会话</translation>
    </message>
    <message>
        <source>nothing was picked; nothing has been changed</source>
        <translation>没有选择；未作任何更改</translation>
    </message>
    <message>
        <source>nothing was said in session {id} up to there</source>
        <translation>会话 {id} 到那里为止还没有任何话</translation>
    </message>
    <message>
        <source>of Reasonix's configuration only model, endpoint and key are used: no tools</source>
        <translation>Reasonix 的配置只使用模型、端点和密钥：不使用工具</translation>
    </message>
    <message>
        <source>old tool results stay: {what}</source>
        <translation>旧的工具结果保持不变：{what}</translation>
    </message>
    <message>
        <source>only Reasonix itself writes the event log of {path}: it can be read and copied</source>
        <translation>{path} 的事件日志只由 Reasonix 自己写入：可以读取和复制</translation>
    </message>
    <message>
        <source>only Reasonix itself writes the {which} of {path}. To go on with it: `tenuto session fork` makes a session of generation A (or, with --config, a run) of it, which Tenuto resumes; `tenuto reasonix open` hands it over to the installed reasonix program</source>
        <translation>{path} 的{which}只由 Reasonix 自己写入。若要继续：`tenuto session fork` 会用它建立一个 A 代的会话（加上 --config 则建立一个运行），由 Tenuto 继续；`tenuto reasonix open` 会把它交给已安装的 reasonix 程序</translation>
    </message>
    <message>
        <source>only Reasonix itself writes {which}: fork the session, or go on in reasonix</source>
        <translation>{which}只由 Reasonix 自己写入：请分叉此会话，或在 reasonix 中继续</translation>
    </message>
    <message>
        <source>other windows cannot see this question: {what}</source>
        <translation>其他窗口看不到这个问题：{what}</translation>
    </message>
    <message>
        <source>others may look into {folder} (its mode is {mode})</source>
        <translation>其他用户可以查看 {folder}（其权限为 {mode}）</translation>
    </message>
    <message>
        <source>others may look into {folder}: {reason}</source>
        <translation>其他用户可以查看 {folder}：{reason}</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>printed more than {limit} MiB of introspection</source>
        <translation>输出的自述超过 {limit} MiB</translation>
    </message>
    <message>
        <source>printed no usable introspection document: {reason}</source>
        <translation>没有输出可用的自述文档：{reason}</translation>
    </message>
    <message>
        <source>process {pid}</source>
        <translation>进程 {pid}</translation>
    </message>
    <message>
        <source>process {pid} on {host}</source>
        <translation>{host} 上的进程 {pid}</translation>
    </message>
    <message>
        <source>read-only file system at {mount}</source>
        <translation>{mount} 是只读文件系统</translation>
    </message>
    <message>
        <source>record {seq} does not follow record {last}</source>
        <translation>记录 {seq} 不是接在记录 {last} 之后</translation>
    </message>
    <message>
        <source>record {seq} follows record {last}: two writers, or out of order</source>
        <translation>记录 {seq} 接在记录 {last} 之后：有两个写入者，或顺序错乱</translation>
    </message>
    <message>
        <source>record {seq} is there twice, byte for byte</source>
        <translation>记录 {seq} 逐字节重复出现</translation>
    </message>
    <message>
        <source>record {seq} of run {id} lies in a batch of tool calls without all its results: both runs could make those calls; fork at record {nearest}, before them</source>
        <translation>运行 {id} 的记录 {seq} 位于一批结果不全的工具调用中：两个运行都可能执行这些调用；请在它们之前的记录 {nearest} 处分叉</translation>
    </message>
    <message>
        <source>record {seq} stands on the line of record {last}</source>
        <translation>记录 {seq} 与记录 {last} 在同一行</translation>
    </message>
    <message>
        <source>required must list properties of the schema</source>
        <translation>required 必须列出 schema 的属性</translation>
    </message>
    <message>
        <source>run {existing} exists already</source>
        <translation>运行 {existing} 已存在</translation>
    </message>
    <message>
        <source>run {id} belongs to process {pid}</source>
        <translation>运行 {id} 属于进程 {pid}</translation>
    </message>
    <message>
        <source>run {id} exists already</source>
        <translation>运行 {id} 已存在</translation>
    </message>
    <message>
        <source>run {id} has its meta record already</source>
        <translation>运行 {id} 已有 meta 记录</translation>
    </message>
    <message>
        <source>run {id} has no assistant turn that a tool result could belong to</source>
        <translation>运行 {id} 没有工具结果可以所属的助手轮次</translation>
    </message>
    <message>
        <source>run {id} has no meta record</source>
        <translation>运行 {id} 没有 meta 记录</translation>
    </message>
    <message>
        <source>run {id} has no number left for another record</source>
        <translation>运行 {id} 已没有可供新记录使用的编号</translation>
    </message>
    <message>
        <source>run {id} has no record {seq}; its last one is {last}</source>
        <translation>运行 {id} 没有记录 {seq}；最后一条是 {last}</translation>
    </message>
    <message>
        <source>run {id} is a chat, and nobody can type here: go on with it in a terminal or in the window, or say what comes next (--say TEXT)</source>
        <translation>运行 {id} 是对话，而这里无人可以输入：请在终端或窗口中继续，或说明接下来的话（--say TEXT）</translation>
    </message>
    <message>
        <source>run {id} is gone already</source>
        <translation>运行 {id} 已不存在</translation>
    </message>
    <message>
        <source>run {id} is in use by process {pid}</source>
        <translation>进程 {pid} 正在使用运行 {id}</translation>
    </message>
    <message>
        <source>run {id} is in use by {who}</source>
        <translation>{who}正在使用运行 {id}</translation>
    </message>
    <message>
        <source>run {id} is of version {version}: it must be rewritten as version {own} before anything is added</source>
        <translation>运行 {id} 是版本 {version}：必须先改写为版本 {own} 才能添加内容</translation>
    </message>
    <message>
        <source>run {id} was deleted by another program</source>
        <translation>运行 {id} 被另一个程序删除</translation>
    </message>
    <message>
        <source>run {id} was just changed by another process</source>
        <translation>运行 {id} 刚刚被另一个进程更改</translation>
    </message>
    <message>
        <source>run {id} was never started: its journal is empty</source>
        <translation>运行 {id} 从未开始：其日志为空</translation>
    </message>
    <message>
        <source>schema of {path} is no object</source>
        <translation>{path} 的 schema 不是对象</translation>
    </message>
    <message>
        <source>schema of {path}: properties is no object</source>
        <translation>{path} 的 schema：properties 不是对象</translation>
    </message>
    <message>
        <source>schema of {path}: required is no list</source>
        <translation>{path} 的 schema：required 不是列表</translation>
    </message>
    <message>
        <source>schema of {path}: {reason}</source>
        <translation>{path} 的 schema：{reason}</translation>
    </message>
    <message>
        <source>seq {seq} not increasing after {last}</source>
        <translation>seq {seq} 在 {last} 之后没有递增</translation>
    </message>
    <message>
        <source>session is pending cleanup: {name}</source>
        <translation>会话正等待清理：{name}</translation>
    </message>
    <message>
        <source>session {id} has no message {at}; its last one is {last}</source>
        <translation>会话 {id} 没有消息 {at}；最后一条是 {last}</translation>
    </message>
    <message>
        <source>session {id} is open in {who}</source>
        <translation>会话 {id} 在{who}中打开着</translation>
    </message>
    <message>
        <source>session {key} is open in this process</source>
        <translation>会话 {key} 在本进程中打开着</translation>
    </message>
    <message>
        <source>signal {number}</source>
        <translation>信号 {number}</translation>
    </message>
    <message>
        <source>socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>something follows the end of the JSON value</source>
        <translation>JSON 值结束后还有内容</translation>
    </message>
    <message>
        <source>special file</source>
        <translation>特殊文件</translation>
    </message>
    <message>
        <source>string should match pattern '{pattern}'</source>
        <translation>文本应匹配模式“{pattern}”</translation>
    </message>
    <message>
        <source>symlink</source>
        <translation>符号链接</translation>
    </message>
    <message>
        <source>the MCP server {server}: {what}</source>
        <translation>MCP 服务器 {server}：{what}</translation>
    </message>
    <message>
        <source>the alias {anchor!r} stands inside itself</source>
        <translation>别名“{anchor}”位于它自身之中</translation>
    </message>
    <message>
        <source>the aliases of this file expand to too much</source>
        <translation>此文件的别名展开后过大</translation>
    </message>
    <message>
        <source>the application</source>
        <translation>应用程序</translation>
    </message>
    <message>
        <source>the application is too old: its command {path} has no restricted_schema</source>
        <translation>应用程序太旧：其命令 {path} 没有 restricted_schema</translation>
    </message>
    <message>
        <source>the application {name} {reason}</source>
        <translation>应用程序 {name} {reason}</translation>
    </message>
    <message>
        <source>the content of a message is no array</source>
        <translation>消息的内容不是数组</translation>
    </message>
    <message>
        <source>the content of a tool result is no array</source>
        <translation>工具结果的内容不是数组</translation>
    </message>
    <message>
        <source>the conversation ends with the model's own words and nothing is left to do: say what comes next (--say TEXT)</source>
        <translation>对话以模型自己的话结束，没有剩下要做的事：请说明接下来的话（--say TEXT）</translation>
    </message>
    <message>
        <source>the device under {mount} failed</source>
        <translation>{mount} 下的设备出错</translation>
    </message>
    <message>
        <source>the end of a batch that did not begin</source>
        <translation>批次没有开始却有结束</translation>
    </message>
    <message>
        <source>the end of another batch</source>
        <translation>另一批次的结束</translation>
    </message>
    <message>
        <source>the environment variable {variable} is not set</source>
        <translation>未设置环境变量 {variable}</translation>
    </message>
    <message>
        <source>the event log cannot be replayed: {reason}</source>
        <translation>无法重放事件日志：{reason}</translation>
    </message>
    <message>
        <source>the event log exceeds safe replay limits: {reason}</source>
        <translation>事件日志超出安全重放的限度：{reason}</translation>
    </message>
    <message>
        <source>the file ends in a batch</source>
        <translation>文件在一批记录的中间结束</translation>
    </message>
    <message>
        <source>the file has {count} names: it is readable, nothing is added to it</source>
        <translation>该文件有 {count} 个名字：可以读取，但不会添加内容</translation>
    </message>
    <message>
        <source>the file must be a mapping</source>
        <translation>文件必须是一个映射</translation>
    </message>
    <message>
        <source>the file system has no locks, so nothing is written there</source>
        <translation>文件系统没有锁，因此不在那里写入</translation>
    </message>
    <message>
        <source>the file would grow over the size limit of this process or file system</source>
        <translation>文件会超过此进程或文件系统的大小限制</translation>
    </message>
    <message>
        <source>the first record is not meta: {reason}</source>
        <translation>第一条记录不是 meta：{reason}</translation>
    </message>
    <message>
        <source>the first record is {kind}, not meta</source>
        <translation>第一条记录是 {kind}，而不是 meta</translation>
    </message>
    <message>
        <source>the first record is {kind}, not meta (seq {seq})</source>
        <translation>第一条记录是 {kind}，而不是 meta（seq {seq}）</translation>
    </message>
    <message>
        <source>the iteration budget ({max_iterations}) is used up: the run ends again without a call; raise llm.budget.max_iterations and force the resume</source>
        <translation>迭代预算（{max_iterations}）已用完：运行会不经调用再次结束；请提高 llm.budget.max_iterations 并强制继续</translation>
    </message>
    <message>
        <source>the journal does not begin with a meta record</source>
        <translation>日志不以 meta 记录开始</translation>
    </message>
    <message>
        <source>the journal holds no records</source>
        <translation>日志中没有记录</translation>
    </message>
    <message>
        <source>the journal is damaged: {reason}</source>
        <translation>日志已损坏：{reason}</translation>
    </message>
    <message>
        <source>the journal of run {id} is closed</source>
        <translation>运行 {id} 的日志已关闭</translation>
    </message>
    <message>
        <source>the journal was rewritten from version {version}; the original is kept as {backup}</source>
        <translation>日志已从版本 {version} 改写；原文件保存为 {backup}</translation>
    </message>
    <message>
        <source>the keyring did not answer within {seconds} seconds</source>
        <translation>密钥环在 {seconds} 秒内没有回应</translation>
    </message>
    <message>
        <source>the keyring failed ({error})</source>
        <translation>密钥环出错（{error}）</translation>
    </message>
    <message>
        <source>the last record has no newline: the next record would land on its line</source>
        <translation>最后一条记录没有换行：下一条记录会落在同一行</translation>
    </message>
    <message>
        <source>the lock of {id} is not held</source>
        <translation>没有持有 {id} 的锁</translation>
    </message>
    <message>
        <source>the log ends in the middle of a record</source>
        <translation>事件日志在一条记录的中间结束</translation>
    </message>
    <message>
        <source>the memory backend {backend!r} is not available in Tenuto: only {ours!r} is</source>
        <translation>Tenuto 中没有记忆后端“{backend}”：只有“{ours}”</translation>
    </message>
    <message>
        <source>the metadata of {id} makes no sense ({reason}) and is left as it is</source>
        <translation>{id} 的元数据无法解读（{reason}），保持原样</translation>
    </message>
    <message>
        <source>the model refused to answer</source>
        <translation>模型拒绝回答</translation>
    </message>
    <message>
        <source>the name of the tool {name!r} is longer than {most} characters: shorten the server's name, or hide the tool (tool_tags, {tag})</source>
        <translation>工具名“{name}”超过 {most} 个字符：请缩短服务器名，或隐藏该工具（tool_tags，{tag}）</translation>
    </message>
    <message>
        <source>the name of {path} is no UTF-8, so nothing can be kept on it</source>
        <translation>{path} 的名字不是 UTF-8，因此无法为它保存任何内容</translation>
    </message>
    <message>
        <source>the name of {path} is no UTF-8, so the trash cannot keep it: rename the folder</source>
        <translation>{path} 的名字不是 UTF-8，回收站无法保存它：请重命名该文件夹</translation>
    </message>
    <message>
        <source>the operator stopped; the run stays as it was</source>
        <translation>操作者停止了；运行保持原样</translation>
    </message>
    <message>
        <source>the outcome of a call is unknown: {why}</source>
        <translation>一次调用的结果未知：{why}</translation>
    </message>
    <message>
        <source>the provider 'scripted' needs 'script: FILE' among Tenuto's own keys</source>
        <translation>提供方“scripted”需要 Tenuto 自己的键中有“script: 文件”</translation>
    </message>
    <message>
        <source>the provider {provider!r} cannot be used here</source>
        <translation>提供方“{provider}”在此无法使用</translation>
    </message>
    <message>
        <source>the provider {provider!r} is not one that Tenuto has ({known})</source>
        <translation>Tenuto 没有提供方“{provider}”（有：{known}）</translation>
    </message>
    <message>
        <source>the question about the call was taken back</source>
        <translation>关于该调用的问题已撤回</translation>
    </message>
    <message>
        <source>the run was never started: its journal is empty</source>
        <translation>运行从未开始：其日志为空</translation>
    </message>
    <message>
        <source>the script has no turns</source>
        <translation>脚本没有轮次</translation>
    </message>
    <message>
        <source>the session as it was here is kept in {copy}</source>
        <translation>会话在此处的状态保存在 {copy}</translation>
    </message>
    <message>
        <source>the session backend {backend!r} is not available in Tenuto: only {ours!r} is</source>
        <translation>Tenuto 中没有会话后端“{backend}”：只有“{ours}”</translation>
    </message>
    <message>
        <source>the session holds no messages</source>
        <translation>会话中没有消息</translation>
    </message>
    <message>
        <source>the session is damaged: {reason}</source>
        <translation>会话已损坏：{reason}</translation>
    </message>
    <message>
        <source>the session waits for what comes next, and nobody can type here: say it (--say TEXT), or go on with it in a terminal or in the window</source>
        <translation>会话等待接下来的话，而这里无人可以输入：请用 --say TEXT 说明，或在终端或窗口中继续</translation>
    </message>
    <message>
        <source>the session was repaired; the next save keeps that</source>
        <translation>会话已修复；下次保存会保留修复</translation>
    </message>
    <message>
        <source>the stream ended in an error: {error}</source>
        <translation>数据流以错误结束：{error}</translation>
    </message>
    <message>
        <source>the system gave no reason</source>
        <translation>系统没有说明原因</translation>
    </message>
    <message>
        <source>the system has too many files open</source>
        <translation>系统打开的文件过多</translation>
    </message>
    <message>
        <source>the tag {tag!r} has no meaning in a configuration</source>
        <translation>标签“{tag}”在配置中没有意义</translation>
    </message>
    <message>
        <source>the token budget ({max_tokens}) is used up: one more call ends the run again; raise llm.budget.max_tokens and force the resume</source>
        <translation>token 预算（{max_tokens}）已用完：再调用一次运行就会再次结束；请提高 llm.budget.max_tokens 并强制继续</translation>
    </message>
    <message>
        <source>the trash is in use by {who}</source>
        <translation>{who}正在使用回收站</translation>
    </message>
    <message>
        <source>the working directory {folder} is not there</source>
        <translation>工作目录 {folder} 不存在</translation>
    </message>
    <message>
        <source>there is no checkpoint of turn {turn}</source>
        <translation>没有第 {turn} 轮的检查点</translation>
    </message>
    <message>
        <source>there is no file {path}</source>
        <translation>没有文件 {path}</translation>
    </message>
    <message>
        <source>there is no reasonix program on PATH. `tenuto session fork` makes a session of generation A of it (or, with --config, a run), which Tenuto resumes</source>
        <translation>PATH 中没有 reasonix 程序。`tenuto session fork` 会用它建立一个 A 代的会话（加上 --config 则建立一个运行），由 Tenuto 继续</translation>
    </message>
    <message>
        <source>there is no run {id} in {path}</source>
        <translation>{path} 中没有运行 {id}</translation>
    </message>
    <message>
        <source>there is no run {name}</source>
        <translation>没有运行 {name}</translation>
    </message>
    <message>
        <source>there is no runs folder at {path}</source>
        <translation>{path} 处没有运行文件夹</translation>
    </message>
    <message>
        <source>there is no session {id}</source>
        <translation>没有会话 {id}</translation>
    </message>
    <message>
        <source>there is no session {path}</source>
        <translation>没有会话 {path}</translation>
    </message>
    <message>
        <source>there is no session {word}</source>
        <translation>没有会话 {word}</translation>
    </message>
    <message>
        <source>there is no source {source}</source>
        <translation>没有来源 {source}</translation>
    </message>
    <message>
        <source>there is no {program} program on PATH</source>
        <translation>PATH 中没有 {program} 程序</translation>
    </message>
    <message>
        <source>this program has too many files open</source>
        <translation>此程序打开的文件过多</translation>
    </message>
    <message>
        <source>token budget ({max_tokens}) exhausted after {count} iterations</source>
        <translation>token 预算（{max_tokens}）在 {count} 次迭代后用完</translation>
    </message>
    <message>
        <source>too large: {path} ({size} bytes, at most {limit})</source>
        <translation>太大：{path}（{size} 字节，最多 {limit}）</translation>
    </message>
    <message>
        <source>too many values for a configuration</source>
        <translation>对一份配置来说值过多</translation>
    </message>
    <message>
        <source>tool result before any assistant turn at seq {seq}</source>
        <translation>在 seq {seq} 处，工具结果出现在任何助手轮次之前</translation>
    </message>
    <message>
        <source>tools now run in {now}, before they ran in {before}</source>
        <translation>工具现在在 {now} 中运行，之前在 {before} 中</translation>
    </message>
    <message>
        <source>tuple should have at least {min_length} item after validation, not {actual_length}</source>
        <translation>列表至少应有 {min_length} 项，而不是 {actual_length} 项</translation>
    </message>
    <message>
        <source>turn {number} has none of text, tools, error</source>
        <translation>第 {number} 轮没有 text、tools、error 中的任何一个</translation>
    </message>
    <message>
        <source>turn {turn} was compacted away</source>
        <translation>第 {turn} 轮已在压缩中去掉</translation>
    </message>
    <message>
        <source>two commands are named {name!r}</source>
        <translation>有两个命令名为“{name}”</translation>
    </message>
    <message>
        <source>two commands make the tool name {name}</source>
        <translation>有两个命令得出工具名 {name}</translation>
    </message>
    <message>
        <source>unexpected end of JSON input</source>
        <translation>JSON 内容意外结束</translation>
    </message>
    <message>
        <source>unknown key {key!r}</source>
        <translation>未知的键“{key}”</translation>
    </message>
    <message>
        <source>unknown key {key!r} (did you mean {close!r}?)</source>
        <translation>未知的键“{key}”（是否想写“{close}”？）</translation>
    </message>
    <message>
        <source>unknown protocol {protocol} at seq {seq}</source>
        <translation>在 seq {seq} 处有未知的协议 {protocol}</translation>
    </message>
    <message>
        <source>v4 store</source>
        <translation>v4 存储</translation>
    </message>
    <message>
        <source>what is in the memory cannot be told: {reason}</source>
        <translation>无法得知记忆中的内容：{reason}</translation>
    </message>
    <message>
        <source>what this run was made with is not kept: {what}</source>
        <translation>没有保存此运行所用的配置：{what}</translation>
    </message>
    <message>
        <source>written in journal version {version}; this program reads versions 1 to {own}</source>
        <translation>以日志版本 {version} 写成；此程序可读版本 1 到 {own}</translation>
    </message>
    <message>
        <source>{directory} cannot be written</source>
        <translation>{directory} 不可写</translation>
    </message>
    <message>
        <source>{folder} cannot be read: {reason}.</source>
        <translation>无法读取 {folder}：{reason}。</translation>
    </message>
    <message>
        <source>{folder} is a git work tree: the export may be committed with it</source>
        <translation>{folder} 是 git 工作区：导出的文件可能被一起提交</translation>
    </message>
    <message>
        <source>{folder} looks like a folder that is copied to other computers</source>
        <translation>{folder} 看起来是会复制到其他电脑的文件夹</translation>
    </message>
    <message>
        <source>{id} is open in {who}</source>
        <translation>{id} 在{who}中打开着</translation>
    </message>
    <message>
        <source>{id}: {what}</source>
        <translation>{id}：{what}</translation>
    </message>
    <message>
        <source>{key!r} is given twice (first in line {first})</source>
        <translation>“{key}”写了两次（第一次在第 {first} 行）</translation>
    </message>
    <message>
        <source>{key!r} is not in the trash</source>
        <translation>“{key}”不在回收站中</translation>
    </message>
    <message>
        <source>{key} adds tools of other agents: they are not part of what Tenuto runs yet, so this fingerprint is not the one that fisk-ai journals</source>
        <translation>{key} 会加上其他代理的工具：Tenuto 尚不运行这些，因此此指纹与 fisk-ai 写入日志的不同</translation>
    </message>
    <message>
        <source>{key} does not go with {other}</source>
        <translation>{key} 不能与 {other} 一起使用</translation>
    </message>
    <message>
        <source>{key} is in the trash already</source>
        <translation>{key} 已在回收站中</translation>
    </message>
    <message>
        <source>{key} is not a session</source>
        <translation>{key} 不是会话</translation>
    </message>
    <message>
        <source>{key} is not in the trash</source>
        <translation>{key} 不在回收站中</translation>
    </message>
    <message>
        <source>{key} is required and must not be empty</source>
        <translation>{key} 是必需的，且不能为空</translation>
    </message>
    <message>
        <source>{key} is too large</source>
        <translation>{key} 太大</translation>
    </message>
    <message>
        <source>{key} must be a duration such as 90s or 1m30s</source>
        <translation>{key} 必须是时长，例如 90s 或 1m30s</translation>
    </message>
    <message>
        <source>{key} must be a list</source>
        <translation>{key} 必须是列表</translation>
    </message>
    <message>
        <source>{key} must be a mapping</source>
        <translation>{key} 必须是映射</translation>
    </message>
    <message>
        <source>{key} must be a text</source>
        <translation>{key} 必须是文本</translation>
    </message>
    <message>
        <source>{key} must be a whole number</source>
        <translation>{key} 必须是整数</translation>
    </message>
    <message>
        <source>{key} must be true or false</source>
        <translation>{key} 必须是 true 或 false</translation>
    </message>
    <message>
        <source>{key} must not be negative</source>
        <translation>{key} 不能为负</translation>
    </message>
    <message>
        <source>{key}: Tenuto words its tools and its note in the prompt in its own way, so a run that fisk-ai began with it can be read, compared and forced, not matched</source>
        <translation>{key}：Tenuto 对其工具和提示中的说明有自己的措辞，因此 fisk-ai 用它开始的运行可以读取、比较和强制继续，但不会匹配</translation>
    </message>
    <message>
        <source>{key}: {what}</source>
        <translation>{key}：{what}</translation>
    </message>
    <message>
        <source>{kind} record with no payload at seq {seq}</source>
        <translation>在 seq {seq} 处的 {kind} 记录没有内容</translation>
    </message>
    <message>
        <source>{name!r} is no name of an environment variable</source>
        <translation>“{name}”不是环境变量的名字</translation>
    </message>
    <message>
        <source>{name} does not belong to an export of {id}</source>
        <translation>{name} 不属于 {id} 的导出</translation>
    </message>
    <message>
        <source>{name} has another name</source>
        <translation>{name} 另有一个名字</translation>
    </message>
    <message>
        <source>{name} is compressed in a way that is not used here</source>
        <translation>{name} 的压缩方式不是这里所用的</translation>
    </message>
    <message>
        <source>{name} is encrypted</source>
        <translation>{name} 已加密</translation>
    </message>
    <message>
        <source>{name} is in it twice</source>
        <translation>{name} 在其中出现两次</translation>
    </message>
    <message>
        <source>{name} is in the way</source>
        <translation>{name} 已占用该位置</translation>
    </message>
    <message>
        <source>{name} is no file of a run</source>
        <translation>{name} 不是运行的文件</translation>
    </message>
    <message>
        <source>{name} is no plain file</source>
        <translation>{name} 不是普通文件</translation>
    </message>
    <message>
        <source>{name} is not what was exported: its hash differs</source>
        <translation>{name} 与导出时不同：其哈希值不一致</translation>
    </message>
    <message>
        <source>{name} is passed over: {reason}</source>
        <translation>{name} 被略过：{reason}</translation>
    </message>
    <message>
        <source>{name} is too large</source>
        <translation>{name} 太大</translation>
    </message>
    <message>
        <source>{name}: the working directory {folder} is not there</source>
        <translation>{name}：工作目录 {folder} 不存在</translation>
    </message>
    <message>
        <source>{one} and {two} both have a tool {name!r}</source>
        <translation>{one}和{two}都有名为“{name}”的工具</translation>
    </message>
    <message>
        <source>{one} has twice a tool {name!r}</source>
        <translation>{one}有两个名为“{name}”的工具</translation>
    </message>
    <message>
        <source>{origin} is not there, and the delete of {id} was broken off: the run may still be whole in that folder; --state-dir names another one</source>
        <translation>{origin} 不存在，而且 {id} 的删除曾中断：运行可能仍完整地在那个文件夹中；--state-dir 可指定另一个文件夹</translation>
    </message>
    <message>
        <source>{others_words}</source>
        <translation>原文“{others_words}”</translation>
    </message>
    <message>
        <source>{path!r} is no file name</source>
        <translation>“{path}”不是文件名</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}</source>
        <translation>无法读取 {path}：{reason}</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}</source>
        <translation>无法写入 {path}：{reason}</translation>
    </message>
    <message>
        <source>{path} has another name: nothing is added to it</source>
        <translation>{path} 另有一个名字：不会添加内容</translation>
    </message>
    <message>
        <source>{path} has {count} names (a backup by hard links?): it is not changed</source>
        <translation>{path} 有 {count} 个名字（是用硬链接做的备份？）：不作更改</translation>
    </message>
    <message>
        <source>{path} has {count} names: readable, but nothing is added to it</source>
        <translation>{path} 有 {count} 个名字：可以读取，但不会添加内容</translation>
    </message>
    <message>
        <source>{path} holds {size} bytes, more than doctor looks at</source>
        <translation>{path} 有 {size} 字节，超过 doctor 所检查的大小</translation>
    </message>
    <message>
        <source>{path} is in the way</source>
        <translation>{path} 已占用该位置</translation>
    </message>
    <message>
        <source>{path} is larger than {size} MiB</source>
        <translation>{path} 大于 {size} MiB</translation>
    </message>
    <message>
        <source>{path} is left of an earlier run</source>
        <translation>{path} 是先前的运行留下的</translation>
    </message>
    <message>
        <source>{path} is no exported session that can be used: {reason}</source>
        <translation>{path} 不是可用的导出会话：{reason}</translation>
    </message>
    <message>
        <source>{path} is no fingerprint: {reason}; it is a JSON object with the fields {fields}</source>
        <translation>{path} 不是指纹：{reason}；指纹是含有字段 {fields} 的 JSON 对象</translation>
    </message>
    <message>
        <source>{path} is no true copy of its parent: nothing was made</source>
        <translation>{path} 与其来源不一致：没有建立任何内容</translation>
    </message>
    <message>
        <source>{path} is no true copy of {name}</source>
        <translation>{path} 与 {name} 不一致</translation>
    </message>
    <message>
        <source>{path} is not UTF-8</source>
        <translation>{path} 不是 UTF-8</translation>
    </message>
    <message>
        <source>{path} is not a regular file</source>
        <translation>{path} 不是普通文件</translation>
    </message>
    <message>
        <source>{path} is not a session</source>
        <translation>{path} 不是会话</translation>
    </message>
    <message>
        <source>{path} is there already; --force replaces it</source>
        <translation>{path} 已存在；--force 会替换它</translation>
    </message>
    <message>
        <source>{path} was changed by another program and differs from what would be saved</source>
        <translation>{path} 被另一个程序更改，与要保存的内容不同</translation>
    </message>
    <message>
        <source>{path} was changed by another program and holds more than what would be saved</source>
        <translation>{path} 被另一个程序更改，其内容多于要保存的内容</translation>
    </message>
    <message>
        <source>{path} was changed by another program and is damaged: {what}</source>
        <translation>{path} 被另一个程序更改并已损坏：{what}</translation>
    </message>
    <message>
        <source>{path} would have calls without a result: nothing was made</source>
        <translation>{path} 会含有没有结果的调用：没有建立任何内容</translation>
    </message>
    <message>
        <source>{path}: byte {offset}: {reason}: a repair by doctor keeps it</source>
        <translation>{path}：第 {offset} 字节：{reason}；用 doctor 修复会保留它</translation>
    </message>
    <message>
        <source>{path}: the journal became shorter while it was repaired</source>
        <translation>{path}：日志在修复时变短了</translation>
    </message>
    <message>
        <source>{path}: {what}</source>
        <translation>{path}：{what}</translation>
    </message>
    <message>
        <source>{place}: {what}</source>
        <translation>{place}：{what}</translation>
    </message>
    <message>
        <source>{place}: {what} (and {n} more)</source>
        <translation>{place}：{what}（另有 {n} 个问题）</translation>
    </message>
    <message>
        <source>{reason}; it said: {words}</source>
        <translation>{reason}；它说：{words}</translation>
    </message>
    <message>
        <source>{size} NUL bytes, as a power cut leaves them</source>
        <translation>{size} 个 NUL 字节，断电后常见</translation>
    </message>
    <message>
        <source>{size} bytes are no record</source>
        <translation>有 {size} 字节不是记录</translation>
    </message>
    <message>
        <source>{size} bytes of a torn record, with record {seq} glued behind</source>
        <translation>一条残缺记录的 {size} 字节，其后紧接着记录 {seq}</translation>
    </message>
    <message>
        <source>{text!r} is no duration such as 90s or 1m30s</source>
        <translation>“{text}”不是时长，例如 90s 或 1m30s</translation>
    </message>
    <message>
        <source>{text!r} is the name of a device on some systems: choose another id</source>
        <translation>“{text}”在某些系统上是设备名：请另选一个 id</translation>
    </message>
    <message>
        <source>{token} does not say which folder it came from</source>
        <translation>{token} 没有说明来自哪个文件夹</translation>
    </message>
    <message>
        <source>{token} holds no journal</source>
        <translation>{token} 中没有日志</translation>
    </message>
    <message>
        <source>{token} is no entry of the trash</source>
        <translation>{token} 不是回收站的项目</translation>
    </message>
    <message>
        <source>{token} was restored already</source>
        <translation>{token} 已经恢复</translation>
    </message>
    <message>
        <source>{what}; record {last} is the last that can be forked at</source>
        <translation>{what}；记录 {last} 是可以分叉的最后一条</translation>
    </message>
    <message>
        <source>{what}; record {seq} cannot be recovered from it</source>
        <translation>{what}；无法从中找回记录 {seq}</translation>
    </message>
    <message>
        <source>{what}; records 1 to {last} are on disk, and behind them an incomplete record {number}, which the next open repairs</source>
        <translation>{what}；记录 1 到 {last} 已在磁盘上，其后有一条不完整的记录 {number}，下次打开时会修复</translation>
    </message>
    <message>
        <source>{what}; records 1 to {last} are on disk, record {number} is not</source>
        <translation>{what}；记录 1 到 {last} 已在磁盘上，记录 {number} 没有</translation>
    </message>
    <message>
        <source>{what}; records {first} to {last} cannot be recovered from it</source>
        <translation>{what}；无法从中找回记录 {first} 到 {last}</translation>
    </message>
    <message>
        <source>{what}; {more}</source>
        <translation>{what}；{more}</translation>
    </message>
</context>
<context>
    <name>export</name>
    <message>
        <source>Byte for byte, to open it in Tenuto elsewhere. Secrets in it stay in it.</source>
        <translation>逐字节完整，可在别处用 Tenuto 打开。其中的机密也会保留。</translation>
    </message>
    <message>
        <source>Complete session</source>
        <translation>完整会话</translation>
    </message>
    <message>
        <source>Every record, for programs.</source>
        <translation>每一条记录，供程序使用。</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>One file that any browser shows; it loads nothing.</source>
        <translation>任何浏览器都能显示的单个文件；不加载任何内容。</translation>
    </message>
    <message>
        <source>Text for notes, tickets and reviews.</source>
        <translation>用于笔记、工单和评审的文字。</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>{text}.</source>
        <translation>{text}。</translation>
    </message>
</context>
<context>
    <name>failure</name>
    <message numerus="yes">
        <source>%n tries</source>
        <translation>
            <numerusform>尝试 %Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>answer broke off</source>
        <translation>回答中断</translation>
    </message>
    <message>
        <source>key not accepted</source>
        <translation>密钥不被接受</translation>
    </message>
    <message>
        <source>key not allowed to use the model</source>
        <translation>密钥无权使用该模型</translation>
    </message>
    <message>
        <source>no answer from the provider</source>
        <translation>模型服务没有应答</translation>
    </message>
    <message>
        <source>no key for the model</source>
        <translation>没有模型的密钥</translation>
    </message>
    <message>
        <source>provider answered {status}</source>
        <translation>模型服务返回 {status}</translation>
    </message>
    <message>
        <source>provider not reached</source>
        <translation>无法连接到模型服务</translation>
    </message>
    <message>
        <source>provider overloaded</source>
        <translation>模型服务过载</translation>
    </message>
    <message>
        <source>provider wants to be paid first</source>
        <translation>模型服务要求先付费</translation>
    </message>
    <message>
        <source>rate limit of the provider</source>
        <translation>模型服务限制请求频率</translation>
    </message>
    <message>
        <source>{cause}, {tries}</source>
        <translation>{cause}，{tries}</translation>
    </message>
</context>
<context>
    <name>filters</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>At a limit</source>
        <translation>达到上限</translation>
    </message>
    <message>
        <source>No completed sessions</source>
        <translation>没有已完成的会话</translation>
    </message>
    <message>
        <source>No damaged sessions</source>
        <translation>没有已损坏的会话</translation>
    </message>
    <message>
        <source>No empty sessions</source>
        <translation>没有空会话</translation>
    </message>
    <message>
        <source>No failed sessions</source>
        <translation>没有失败的会话</translation>
    </message>
    <message>
        <source>No interrupted sessions</source>
        <translation>没有已中断的会话</translation>
    </message>
    <message>
        <source>No running sessions</source>
        <translation>没有运行中的会话</translation>
    </message>
    <message>
        <source>No sessions</source>
        <translation>没有会话</translation>
    </message>
    <message>
        <source>No sessions at a limit</source>
        <translation>没有达到上限的会话</translation>
    </message>
    <message>
        <source>No sessions at rest</source>
        <translation>没有就绪的会话</translation>
    </message>
    <message>
        <source>No sessions of a newer version</source>
        <translation>没有较新版本的会话</translation>
    </message>
    <message>
        <source>No sessions wait for you</source>
        <translation>没有会话等待您</translation>
    </message>
    <message>
        <source>No suspended sessions</source>
        <translation>没有已暂停的会话</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
</context>
<context>
    <name>folders</name>
    <message>
        <source>It belongs to user “{name}”.</source>
        <translation>它属于用户“{name}”。</translation>
    </message>
    <message>
        <source>It is not a folder.</source>
        <translation>它不是文件夹。</translation>
    </message>
    <message>
        <source>No such folder</source>
        <translation>没有这个文件夹</translation>
    </message>
    <message>
        <source>Not allowed to read it.</source>
        <translation>没有读取权限。</translation>
    </message>
    <message>
        <source>Reasonix sessions</source>
        <translation>Reasonix 会话</translation>
    </message>
    <message>
        <source>Reasonix, by project</source>
        <translation>Reasonix，按项目</translation>
    </message>
    <message>
        <source>The folder is there and has no journals in it</source>
        <translation>文件夹存在，但其中没有日志</translation>
    </message>
    <message>
        <source>The folder is there and has no sessions in it</source>
        <translation>文件夹存在，其中没有会话</translation>
    </message>
    <message>
        <source>fisk-ai runs</source>
        <translation>fisk-ai 运行</translation>
    </message>
    <message>
        <source>from your settings</source>
        <translation>来自您的设置</translation>
    </message>
</context>
<context>
    <name>force</name>
    <message numerus="yes">
        <source>As they were: %n other tool(s) that it called</source>
        <translation>
            <numerusform>未变：它调用过的另外 %Ln 个工具</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>As they were: %n tool(s) that it called</source>
        <translation>
            <numerusform>未变：它调用过的 %Ln 个工具</numerusform>
        </translation>
    </message>
    <message>
        <source>Comparing, and looking which tools the run has called…</source>
        <translation>正在比较，并查看运行调用过哪些工具…</translation>
    </message>
    <message>
        <source>Continue under a changed configuration?</source>
        <translation>在已更改的配置下继续？</translation>
    </message>
    <message>
        <source>Continue with today’s configuration</source>
        <translation>用现在的配置继续</translation>
    </message>
    <message>
        <source>Forced before, {when}, with {path}: {names}</source>
        <translation>曾于 {when} 以 {path} 强制继续：{names}</translation>
    </message>
    <message>
        <source>Its open call cannot be run any more</source>
        <translation>其未完成的调用已无法执行</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>不继续</translation>
    </message>
    <message>
        <source>Nothing needs to be forced: it resumes as it is</source>
        <translation>无需强制：可以直接继续</translation>
    </message>
    <message>
        <source>Raise {key}</source>
        <translation>请提高 {key}</translation>
    </message>
    <message numerus="yes">
        <source>Still there: %n tool(s) that it called; whether anything changed in them cannot be told, as the saved ones were never seen here</source>
        <translation>
            <numerusform>仍然存在：它调用过的 %Ln 个工具；无法说明其中是否有更改，因为此处从未见过所保存的工具</numerusform>
        </translation>
    </message>
    <message>
        <source>The model’s cache does not help any more: its next call reads the whole conversation anew, at full price</source>
        <translation>模型的缓存不再有用：下一次调用会以全价重新读取整个对话</translation>
    </message>
    <message>
        <source>The run keeps the configuration it was saved with: next time it is asked again</source>
        <translation>运行保留其保存时的配置：下次会再次询问</translation>
    </message>
    <message>
        <source>This run has called no tool so far</source>
        <translation>此运行至今没有调用过工具</translation>
    </message>
    <message>
        <source>What it means cannot be told: {why}</source>
        <translation>无法说明其含义：{why}</translation>
    </message>
    <message>
        <source>What the model’s side has cached stays of use</source>
        <translation>模型一侧的缓存仍然有用</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %Ln 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>is gone; this run called it %n time(s)</source>
        <translation>
            <numerusform>已不存在；此运行调用过它 %Ln 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>is not as it was ({what}); this run called it %n time(s)</source>
        <translation>
            <numerusform>已有变化（{what}）；此运行调用过它 %Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of {all} rows differ: {names}</source>
        <translation>{all} 行中有 {n} 行不同：{names}</translation>
    </message>
</context>
<context>
    <name>format</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
        </translation>
    </message>
    <message>
        <source>d</source>
        <translation>天</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>h</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>m</source>
        <translation>分</translation>
    </message>
    <message>
        <source>now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>{number} tokens</source>
        <translation>{number} token</translation>
    </message>
    <message>
        <source>{n} h ago</source>
        <translation>{n} 小时前</translation>
    </message>
    <message>
        <source>{n} m ago</source>
        <translation>{n} 分钟前</translation>
    </message>
    <message>
        <source>{n} s ago</source>
        <translation>{n} 秒前</translation>
    </message>
</context>
<context>
    <name>groups</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>Fold all groups</source>
        <translation>折叠所有分组</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>分组方式</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Unfold all groups</source>
        <translation>展开所有分组</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>{source}, no project</source>
        <translation>{source}，无项目</translation>
    </message>
</context>
<context>
    <name>keys</name>
    <message>
        <source>A page down</source>
        <translation>向下翻页</translation>
    </message>
    <message>
        <source>A page up</source>
        <translation>向上翻页</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>返回列表</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the row</source>
        <translation>折叠该行</translation>
    </message>
    <message>
        <source>Configuration, activity, records</source>
        <translation>配置、活动、记录</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>查找下一处</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>查找上一处</translation>
    </message>
    <message>
        <source>Fold all groups</source>
        <translation>折叠所有分组</translation>
    </message>
    <message>
        <source>Fold the group</source>
        <translation>折叠分组</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Letters</source>
        <translation>字母</translation>
    </message>
    <message>
        <source>List of sessions</source>
        <translation>会话列表</translation>
    </message>
    <message>
        <source>Next block</source>
        <translation>下一块</translation>
    </message>
    <message>
        <source>Next error</source>
        <translation>下一个错误</translation>
    </message>
    <message>
        <source>Next prompt</source>
        <translation>下一个提示</translation>
    </message>
    <message>
        <source>Next row</source>
        <translation>下一行</translation>
    </message>
    <message>
        <source>Open it, or its block in the transcript</source>
        <translation>展开该行，或转到对话记录中对应的块</translation>
    </message>
    <message>
        <source>Open or close a block</source>
        <translation>展开或折叠块</translation>
    </message>
    <message>
        <source>Open the row</source>
        <translation>展开该行</translation>
    </message>
    <message>
        <source>Open the transcript</source>
        <translation>打开对话记录</translation>
    </message>
    <message>
        <source>Previous block</source>
        <translation>上一块</translation>
    </message>
    <message>
        <source>Previous error</source>
        <translation>上一个错误</translation>
    </message>
    <message>
        <source>Previous prompt</source>
        <translation>上一个提示</translation>
    </message>
    <message>
        <source>Previous row</source>
        <translation>上一行</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Select block by block</source>
        <translation>逐块选择</translation>
    </message>
    <message>
        <source>Select several</source>
        <translation>选择多个</translation>
    </message>
    <message>
        <source>To the end, and follow it</source>
        <translation>到末尾并跟随</translation>
    </message>
    <message>
        <source>To the start</source>
        <translation>到开头</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>对话记录</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Unfold all groups</source>
        <translation>展开所有分组</translation>
    </message>
    <message>
        <source>Unfold the group</source>
        <translation>展开分组</translation>
    </message>
</context>
<context>
    <name>lists</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>{first} {then}</source>
        <translation>{first}{then}</translation>
    </message>
    <message>
        <source>{first}. {then}</source>
        <translation>{first}。{then}</translation>
    </message>
</context>
<context>
    <name>marks</name>
    <message>
        <source>a file without records</source>
        <translation>没有记录的文件</translation>
    </message>
    <message>
        <source>a process holds it</source>
        <translation>有进程占用</translation>
    </message>
    <message>
        <source>an error ended it</source>
        <translation>因错误结束</translation>
    </message>
    <message>
        <source>cleanly, can go on</source>
        <translation>正常暂停，可以继续</translation>
    </message>
    <message>
        <source>it asks, and holds</source>
        <translation>它在提问并等待</translation>
    </message>
    <message>
        <source>newer than this Tenuto</source>
        <translation>比此 Tenuto 更新</translation>
    </message>
    <message>
        <source>no clean end; safe to resume</source>
        <translation>未正常结束；可安全继续</translation>
    </message>
    <message>
        <source>one call may have run</source>
        <translation>有一次调用可能已执行</translation>
    </message>
    <message>
        <source>readable around a bad line</source>
        <translation>坏行以外可读</translation>
    </message>
    <message>
        <source>the final answer is in</source>
        <translation>已有最终答案</translation>
    </message>
    <message>
        <source>used up</source>
        <translation>已用完</translation>
    </message>
</context>
<context>
    <name>menus</name>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Session</source>
        <translation>会话(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Tenuto</source>
        <translation>&amp;Tenuto</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
</context>
<context>
    <name>notify</name>
    <message>
        <source>A session failed</source>
        <translation>有会话失败</translation>
    </message>
    <message>
        <source>A session is completed</source>
        <translation>有会话已完成</translation>
    </message>
    <message>
        <source>A session is damaged</source>
        <translation>有会话已损坏</translation>
    </message>
    <message>
        <source>A session is suspended</source>
        <translation>有会话已暂停</translation>
    </message>
    <message>
        <source>A session reached its iteration limit</source>
        <translation>有会话达到迭代上限</translation>
    </message>
    <message>
        <source>A session used up its token budget</source>
        <translation>有会话用完了 token 预算</translation>
    </message>
    <message>
        <source>A session waits for you</source>
        <translation>有会话等待您</translation>
    </message>
    <message>
        <source>A session was interrupted</source>
        <translation>有会话被中断</translation>
    </message>
    <message>
        <source>A session was interrupted; one command may have run</source>
        <translation>有会话被中断；有一条命令可能已执行</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>order</name>
    <message>
        <source>Most tokens</source>
        <translation>token 最多</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Newest activity</source>
        <translation>最近活动</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>最新创建</translation>
    </message>
</context>
<context>
    <name>reasons</name>
    <message numerus="yes">
        <source>%n of them cannot be deleted. {why}</source>
        <translation>
            <numerusform>其中 %Ln 个无法删除。{why}</numerusform>
        </translation>
    </message>
    <message>
        <source>Filter the list first: what is shown then is what goes</source>
        <translation>请先筛选列表：之后显示的就是要删除的</translation>
    </message>
    <message>
        <source>In use: {who}</source>
        <translation>正在使用：{who}</translation>
    </message>
    <message>
        <source>It is completed: fork it to go on with another prompt</source>
        <translation>它已完成：可分叉后用另一提示继续</translation>
    </message>
    <message>
        <source>It is not running</source>
        <translation>它没有在运行</translation>
    </message>
    <message>
        <source>It is running</source>
        <translation>它正在运行</translation>
    </message>
    <message>
        <source>It is still being read</source>
        <translation>仍在读取</translation>
    </message>
    <message>
        <source>It was started elsewhere: stop it where it runs</source>
        <translation>它在别处启动：请在其运行处停止</translation>
    </message>
    <message>
        <source>Its last calls are in a form that cannot be continued</source>
        <translation>其最后的调用格式无法继续</translation>
    </message>
    <message>
        <source>No run asks anything here</source>
        <translation>此处没有运行在提问</translation>
    </message>
    <message>
        <source>No session is selected</source>
        <translation>未选中会话</translation>
    </message>
    <message>
        <source>No terminal was found: name yours in the settings</source>
        <translation>没有找到终端：请在设置中指定</translation>
    </message>
    <message>
        <source>No worker of it said anything</source>
        <translation>它的工作进程没有留下任何话</translation>
    </message>
    <message>
        <source>Nothing was deleted yet</source>
        <translation>还没有删除任何内容</translation>
    </message>
    <message>
        <source>Only Reasonix itself writes it: fork it, or go on in reasonix</source>
        <translation>只有 Reasonix 自己写入它：可分叉，或在 reasonix 中继续</translation>
    </message>
    <message>
        <source>Select one session</source>
        <translation>请选中一个会话</translation>
    </message>
    <message>
        <source>The file has more than one name (a hard link)</source>
        <translation>文件有多个名称（硬链接）</translation>
    </message>
    <message>
        <source>The folder cannot be written</source>
        <translation>文件夹不可写</translation>
    </message>
    <message>
        <source>The journal holds no records</source>
        <translation>日志中没有记录</translation>
    </message>
    <message>
        <source>The journal is damaged</source>
        <translation>日志已损坏</translation>
    </message>
    <message>
        <source>The journal was written by a newer version</source>
        <translation>日志由较新版本写入</translation>
    </message>
    <message>
        <source>This kind of session cannot do that</source>
        <translation>这种会话不支持此操作</translation>
    </message>
</context>
<context>
    <name>refusals</name>
    <message>
        <source>A chat stays a chat, and a one-shot run stays one.</source>
        <translation>聊天始终是聊天，单次运行始终是单次运行。</translation>
    </message>
    <message>
        <source>A run stays with its provider; force does not help.</source>
        <translation>运行不能更换提供方；强制也无济于事。</translation>
    </message>
    <message>
        <source>All that was done before is kept.</source>
        <translation>此前完成的一切都已保留。</translation>
    </message>
    <message>
        <source>Another process works on this run</source>
        <translation>另一个进程正在处理此运行</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再次询问</translation>
    </message>
    <message>
        <source>Choose configuration…</source>
        <translation>选择配置…</translation>
    </message>
    <message>
        <source>Fork it…</source>
        <translation>分叉…</translation>
    </message>
    <message>
        <source>Go to session</source>
        <translation>转到会话</translation>
    </message>
    <message>
        <source>It has its answer. A fork of it goes on with a new prompt.</source>
        <translation>它已有答案。可分叉后用新的提示继续。</translation>
    </message>
    <message numerus="yes">
        <source>It was asked %n time(s).</source>
        <translation>
            <numerusform>共请求了 %Ln 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing has been changed.</source>
        <translation>没有做任何更改。</translation>
    </message>
    <message>
        <source>Nothing more of it can be recorded.</source>
        <translation>无法再记录它的任何内容。</translation>
    </message>
    <message>
        <source>One command may already have run</source>
        <translation>有一条命令可能已经执行</translation>
    </message>
    <message>
        <source>Open the configuration</source>
        <translation>打开配置</translation>
    </message>
    <message>
        <source>Process {pid} has it open.</source>
        <translation>进程 {pid} 正在使用它。</translation>
    </message>
    <message>
        <source>Resume again</source>
        <translation>再次继续</translation>
    </message>
    <message>
        <source>Resume with force…</source>
        <translation>强制继续…</translation>
    </message>
    <message>
        <source>Show in Records</source>
        <translation>在记录中显示</translation>
    </message>
    <message>
        <source>Show what changed</source>
        <translation>显示更改</translation>
    </message>
    <message>
        <source>Stop it where it runs, or wait for it to end.</source>
        <translation>请在其运行处停止，或等待其结束。</translation>
    </message>
    <message>
        <source>The answer of the model broke off</source>
        <translation>模型的回答中断了</translation>
    </message>
    <message>
        <source>The configuration differs from the one it was saved with</source>
        <translation>配置与保存时的配置不同</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>The key may not use this model</source>
        <translation>该密钥无权使用此模型</translation>
    </message>
    <message>
        <source>The model’s side cannot be reached</source>
        <translation>无法连接到模型服务</translation>
    </message>
    <message>
        <source>The model’s side does not accept the key</source>
        <translation>模型服务不接受该密钥</translation>
    </message>
    <message>
        <source>The model’s side does not answer</source>
        <translation>模型服务没有应答</translation>
    </message>
    <message>
        <source>The model’s side failed</source>
        <translation>模型服务出错</translation>
    </message>
    <message>
        <source>The model’s side is overloaded</source>
        <translation>模型服务过载</translation>
    </message>
    <message>
        <source>The model’s side lets no more calls through now</source>
        <translation>模型服务目前不再放行请求</translation>
    </message>
    <message>
        <source>The model’s side wants to be paid first</source>
        <translation>模型服务要求先付费</translation>
    </message>
    <message>
        <source>The run cannot go on from this journal</source>
        <translation>运行无法从此日志继续</translation>
    </message>
    <message>
        <source>The run is gone from its folder</source>
        <translation>该运行已不在其文件夹中</translation>
    </message>
    <message>
        <source>The run stays as it was until you say what becomes of that call.</source>
        <translation>在你决定如何处理那次调用之前，该运行保持原样。</translation>
    </message>
    <message>
        <source>The run was not resumed</source>
        <translation>运行没有继续</translation>
    </message>
    <message>
        <source>There is no key for the model</source>
        <translation>没有用于该模型的密钥</translation>
    </message>
    <message>
        <source>This configuration cannot be used</source>
        <translation>无法使用此配置</translation>
    </message>
    <message>
        <source>This run cannot resume in this way</source>
        <translation>此运行不能以这种方式继续</translation>
    </message>
    <message>
        <source>This run cannot resume with this configuration</source>
        <translation>此运行不能用此配置继续</translation>
    </message>
    <message>
        <source>This run is completed</source>
        <translation>此运行已完成</translation>
    </message>
    <message>
        <source>This run waits for a message of yours</source>
        <translation>此运行等待您的消息</translation>
    </message>
    <message>
        <source>{text}.</source>
        <translation>{text}。</translation>
    </message>
    <message>
        <source>{why}. Make room, then resume.</source>
        <translation>{why}。请腾出空间，然后继续。</translation>
    </message>
    <message>
        <source>{why}. {closing}</source>
        <translation>{why}。{closing}</translation>
    </message>
    <message>
        <source>“{name}”: {what}</source>
        <translation>“{name}”：{what}</translation>
    </message>
</context>
<context>
    <name>resume</name>
    <message>
        <source>Compare with that one</source>
        <translation>与那一个比较</translation>
    </message>
    <message>
        <source>No known configuration is the one of this run</source>
        <translation>已知的配置都不是此运行的</translation>
    </message>
    <message>
        <source>The one last used in this folder is {path}.</source>
        <translation>此文件夹最近使用的是 {path}。</translation>
    </message>
</context>
<context>
    <name>say</name>
    <message>
        <source>It is added when what is still open is done.</source>
        <translation>未完成的部分结束后会添加它。</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Resume with these words</source>
        <translation>带这些话继续</translation>
    </message>
    <message>
        <source>The conversation ends with the model’s own words.</source>
        <translation>对话以模型自己的话结束。</translation>
    </message>
    <message>
        <source>Type a message first</source>
        <translation>请先输入消息</translation>
    </message>
    <message>
        <source>What comes next?</source>
        <translation>接下来做什么？</translation>
    </message>
    <message>
        <source>Your words to the model…</source>
        <translation>给模型的话…</translation>
    </message>
</context>
<context>
    <name>since</name>
    <message>
        <source>completed {age}</source>
        <translation>{age}完成</translation>
    </message>
    <message>
        <source>failed {age}</source>
        <translation>{age}失败</translation>
    </message>
    <message>
        <source>interrupted {age}</source>
        <translation>{age}中断</translation>
    </message>
    <message>
        <source>last written {age}</source>
        <translation>{age}最后写入</translation>
    </message>
    <message>
        <source>made {age}</source>
        <translation>{age}创建</translation>
    </message>
    <message>
        <source>stopped at its iteration limit {age}</source>
        <translation>{age}因达到迭代上限停止</translation>
    </message>
    <message>
        <source>stopped at its token budget {age}</source>
        <translation>{age}因 token 预算用完停止</translation>
    </message>
    <message>
        <source>suspended {age}</source>
        <translation>{age}暂停</translation>
    </message>
    <message>
        <source>suspended {age}, after record {n}</source>
        <translation>{age}暂停，第 {n} 条记录之后</translation>
    </message>
</context>
<context>
    <name>skipped</name>
    <message>
        <source>Reasonix is about to remove it</source>
        <translation>Reasonix 即将删除它</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>a file of another user</source>
        <translation>其他用户的文件</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>a name that is no UTF-8</source>
        <translation>名称不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>a pipe</source>
        <translation>管道</translation>
    </message>
    <message>
        <source>a session without events</source>
        <translation>没有事件的会话</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>a special file</source>
        <translation>特殊文件</translation>
    </message>
    <message>
        <source>a symbolic link</source>
        <translation>符号链接</translation>
    </message>
    <message>
        <source>an event log without its session</source>
        <translation>没有对应会话的事件日志</translation>
    </message>
    <message>
        <source>another name of {name}</source>
        <translation>{name} 的另一个名字</translation>
    </message>
    <message>
        <source>another session has this id</source>
        <translation>另一个会话已有此 ID</translation>
    </message>
    <message>
        <source>left over from a run that is gone</source>
        <translation>已不存在的运行的残留</translation>
    </message>
    <message>
        <source>not a file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>not a file of a run</source>
        <translation>不是运行的文件</translation>
    </message>
    <message>
        <source>not a session</source>
        <translation>不是会话</translation>
    </message>
    <message>
        <source>not a valid run id</source>
        <translation>不是有效的运行 ID</translation>
    </message>
</context>
<context>
    <name>status</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%Ln 次调用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n turn(s)</source>
        <translation>
            <numerusform>%Ln 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>Completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Forked from {id}</source>
        <translation>分支自 {id}</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Iteration limit</source>
        <translation>迭代上限</translation>
    </message>
    <message>
        <source>Newer version</source>
        <translation>较新版本</translation>
    </message>
    <message>
        <source>Outcome unknown</source>
        <translation>结果未知</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Suspended</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Token budget</source>
        <translation>token 预算</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等待您</translation>
    </message>
    <message>
        <source>a fork</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>after record {n}</source>
        <translation>第 {n} 条记录之后</translation>
    </message>
    <message>
        <source>between turns</source>
        <translation>轮次之间</translation>
    </message>
    <message>
        <source>journal {found}, this Tenuto reads 1–{own}</source>
        <translation>日志版本 {found}，此 Tenuto 可读 1–{own}</translation>
    </message>
    <message>
        <source>line {n} cannot be read</source>
        <translation>第 {n} 行无法读取</translation>
    </message>
    <message>
        <source>no records</source>
        <translation>没有记录</translation>
    </message>
    <message>
        <source>pid {pid}</source>
        <translation>进程 {pid}</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>since {time}</source>
        <translation>自 {time} 起</translation>
    </message>
    <message>
        <source>the system does not tell whether it runs</source>
        <translation>系统无法告知是否在运行</translation>
    </message>
    <message>
        <source>turn {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>{n} tokens used</source>
        <translation>已用 {n} token</translation>
    </message>
</context>
<context>
    <name>trash</name>
    <message>
        <source>broken off</source>
        <translation>未完成</translation>
    </message>
</context>
<context>
    <name>warnings</name>
    <message>
        <source>Its budget is used up: raise it in the configuration, and resume with force</source>
        <translation>预算已用完：请在配置中提高，然后强制继续</translation>
    </message>
    <message>
        <source>Other windows cannot see this question: {why}</source>
        <translation>其他窗口看不到这个问题：{why}</translation>
    </message>
    <message>
        <source>The call that may have run is skipped, and the model is told so</source>
        <translation>可能已执行的那次调用被跳过，并告知模型</translation>
    </message>
    <message>
        <source>The call that may have run runs again</source>
        <translation>可能已执行的那次调用将再次执行</translation>
    </message>
    <message>
        <source>The journal was rewritten from version {n}; {file} is what it was</source>
        <translation>日志已从版本 {n} 改写；{file} 是原来的内容</translation>
    </message>
    <message>
        <source>The model’s side answered {failure}</source>
        <translation>模型服务返回 {failure}</translation>
    </message>
    <message>
        <source>The run paused inside a tool of the provider’s own: what the provider kept of it may have expired</source>
        <translation>该运行停在提供方自己的工具之中：提供方为它保留的内容可能已过期</translation>
    </message>
    <message>
        <source>Tools now run in {now}, before they ran in {before}</source>
        <translation>工具现在在 {now} 中运行，之前在 {before} 中运行</translation>
    </message>
    <message>
        <source>What is in the memory cannot be told: {why}</source>
        <translation>无法得知记忆中的内容：{why}</translation>
    </message>
    <message>
        <source>What this run was made with is not kept: {why}</source>
        <translation>未能保存此运行所用的配置：{why}</translation>
    </message>
    <message>
        <source>What was incomplete at its end was set aside</source>
        <translation>末尾不完整的内容已另存</translation>
    </message>
    <message>
        <source>What was saved stays as it is: with this configuration the run must be forced again</source>
        <translation>已保存的内容保持不变：用此配置时，下次仍须强制继续</translation>
    </message>
    <message>
        <source>Your message was not added, since a call before it waits: say it with the next resume</source>
        <translation>你的消息未被加入，因为它之前还有调用在等待：请在下次继续时再说</translation>
    </message>
    <message>
        <source>an event that makes no sense: {problem}</source>
        <translation>无法解读的事件：{problem}</translation>
    </message>
    <message>
        <source>an event too long to be one</source>
        <translation>事件过长</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有应答</translation>
    </message>
    <message>
        <source>no event: {line}</source>
        <translation>不是事件：{line}</translation>
    </message>
    <message>
        <source>{why}: asked again (attempt {n})</source>
        <translation>{why}：已再次请求（第 {n} 次）</translation>
    </message>
</context>
</TS>
